import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldEntries } from '../projections/fold.ts'
import { createInteractions } from '../projections/interactions.ts'
import { session } from '../projections/session.arbitrary.ts'
import { createUsage } from '../projections/usage.ts'
import { createWorkLog } from '../projections/work-log/work-log.ts'
import type { ThreadChunk } from '../protocol/chunk.ts'
import type { Event } from '../protocol/event.ts'
import type { SessionId } from '../protocol/ids.ts'
import { propertyRuns } from '../protocol/property-runs.fixture.ts'
import { takeIn, withCatalogue } from './catalogue.fixture.ts'
import type { Catalogue } from './catalogue.ts'
import { rebuildRows } from './catch-up.ts'
import { zoneOf } from './days.ts'
import type { Grouping } from './read-usage.ts'
import type { OpenCatalogue } from './test-catalogue.ts'

const s = 's' as SessionId

const told = fc.record({
  after: fc.nat(200),
  cost: fc.option(fc.integer({ min: 0, max: 100 })),
  input: fc.nat(1000),
  model: fc.option(fc.constantFrom('big', 'small')),
  exact: fc.boolean(),
  request: fc.option(
    fc.record({ id: fc.constantFrom('a', 'b'), input: fc.nat(1000), hourWrites: fc.nat(3) }),
  ),
})

type Told = typeof told extends fc.Arbitrary<infer Value> ? Value : never

const requestOf = ({ id, input, hourWrites }: NonNullable<Told['request']>) => ({
  id,
  tokens: { input, output: 1, cacheRead: 2, cacheWrite: 3 },
  hourWrites,
})

const chunkOf = ({ cost, input, model, exact, request }: Told): ThreadChunk['chunk'] => {
  const tokens = { input, output: 1, cacheRead: 2, cacheWrite: 3 }
  return exact
    ? { type: 'data-usage', data: { tokens, cost, model, ...(request && { request: requestOf(request) }) } }
    : { type: 'data-session', data: { agent: 'a', agentSession: null, model, cwd: null } }
}

/** The same events with usage reports in between, in the thread of the last chunk. */
function withUse(events: readonly Event[], uses: readonly Told[]): readonly Event[] {
  const speaking = events.flatMap((event, at) =>
    event.type === 'agent-spoke' && event.chunks.length > 0 ? [at] : [],
  )
  return uses.reduce((all, use) => {
    const at = speaking[use.after % Math.max(1, speaking.length)]
    const event = at === undefined ? undefined : all[at]
    if (at === undefined || event?.type !== 'agent-spoke') return all
    const place = use.after % event.chunks.length
    const { thread, chunk } = event.chunks[place] ?? { thread: null, chunk: null }
    // Nothing is reported between two messages.
    const into = chunk?.type === 'start' ? place + 1 : place
    return all.with(at, {
      ...event,
      chunks: event.chunks.toSpliced(into, 0, { thread, chunk: chunkOf(use) }),
    })
  }, events)
}

const usageOf = (catalogue: Catalogue, ...by: readonly Grouping[]) =>
  catalogue.usage({ to: Number.MAX_SAFE_INTEGER, zone: zoneOf('UTC'), by, now: Date.now() })

/** The usage in a catalogue is that of the journal. */
export function describeUsage(name: string, open: OpenCatalogue): void {
  describe(`${name} catalogue`, () => {
    it('[W6] the usage in the tables equals the usage folded from the journal, also after a rebuild', async () => {
      await fc.assert(
        fc.asyncProperty(
          session({ answers: true, edits: true }),
          fc.array(told, { maxLength: 12 }),
          fc.option(fc.nat()),
          fc.option(fc.nat()),
          (story, uses, branch, move) =>
            withCatalogue(open, async house => {
              const events = [
                ...withUse(
                  story.map(({ event }) => event),
                  uses,
                ),
              ]
              if (move !== null)
                events.splice(1 + (move % events.length), 0, { type: 'agent-assigned', agent: 'other' })
              if (branch !== null)
                events.splice(1 + (branch % events.length), 0, {
                  type: 'session-branched',
                  from: 'other' as SessionId,
                  message: 'm',
                  seq: 1,
                  chunks: [],
                })
              const entries = await takeIn(house, s, events)
              const usage = foldEntries(createUsage(), entries)
              const read = await usageOf(house.catalogue, 'model')
              expect(read.total.tokens).toEqual(usage.total.tokens)
              expect(read.total.cost).toBe(usage.total.cost)
              expect(new Map(read.rows.map(row => [row.model, row.tokens]))).toEqual(
                new Map(Array.from(usage.models, ([model, { tokens }]) => [model, tokens])),
              )
              const hours = await usageOf(house.catalogue, 'hour', 'model')
              expect(hours.total.tokens).toEqual(read.total.tokens)
              const cut = entries.find(({ event }) => event.type === 'session-branched')?.seq ?? 0
              const log = foldEntries(createWorkLog(), entries)
              const own = log.filter(({ start }) => (start?.seq ?? 0) > cut)
              expect(read.total.calls).toBe(own.length)
              expect(read.total.failures.calls).toBe(
                own.filter(({ outcome }) => outcome === 'failure').length,
              )
              const interactions = foldEntries(createInteractions(), entries).filter(
                ({ start }) => start.seq > cut,
              )
              expect(read.total.interactions).toBe(interactions.length)
              expect(read.total.failures.interactions).toBe(
                interactions.filter(({ outcome }) => outcome === 'failed').length,
              )
              const tools = await usageOf(house.catalogue, 'tool', 'day')
              expect(tools.rows.reduce((sum, row) => sum + (row.calls ?? 0), 0)).toBe(own.length)
              // What still runs or waits takes longer with each look.
              const { time: _, waitTime: _waited, ...before } = read.total
              await rebuildRows(house, s)
              expect((await usageOf(house.catalogue, 'model')).total).toMatchObject(before)
            }),
        ),
        { numRuns: propertyRuns(60), endOnFailure: true },
      )
    })
  })
}
