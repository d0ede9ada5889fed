import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldEntries } from '../projections/fold.ts'
import { createInteractions } from '../projections/interactions.ts'
import { session } from '../projections/session.arbitrary.ts'
import { createWorkLog } from '../projections/work-log/work-log.ts'
import type { WorkLogEntry } from '../projections/work-log/work-log-entry.ts'
import type { Validity } from '../protocol/event.ts'
import type { InteractionId, SessionId } from '../protocol/ids.ts'
import { propertyRuns } from '../protocol/property-runs.fixture.ts'
import { takeIn, withCatalogue } from './catalogue.fixture.ts'
import type { Catalogue } from './catalogue.ts'
import type { InteractionRow } from './list-interactions.ts'
import type { WorkFilter } from './list-work.ts'
import type { OpenCatalogue } from './test-catalogue.ts'

const s = 's' as SessionId

async function allWork(catalogue: Catalogue, filter: WorkFilter): Promise<readonly WorkLogEntry[]> {
  const pages: WorkLogEntry[] = []
  for (let cursor: string | undefined; ;) {
    const { entries, next } = await catalogue.work(s, { ...filter, ...(cursor !== undefined && { cursor }) })
    pages.unshift(...entries)
    if (next === null) return pages
    cursor = next
  }
}

const judgement = fc.record({
  at: fc.nat(),
  interaction: fc.nat(2),
  to: fc.constantFrom<Validity>('active', 'invalidated', 'superseded', 'archived'),
  parts: fc.option(fc.subarray(['p', 'q', 'r'], { minLength: 1 }), { nil: undefined }),
})

/** The work log and the interactions in a catalogue are those of the journal. */
export function describeWork(name: string, open: OpenCatalogue): void {
  describe(`${name} catalogue`, () => {
    it('[X7] at any entry, the work log read in pages equals the one folded from the journal', async () => {
      await fc.assert(
        fc.asyncProperty(session({ answers: true, edits: true }), fc.nat(), fc.nat(2), (story, cut, more) =>
          withCatalogue(open, async house => {
            const { catalogue } = house
            const events = story.slice(0, 1 + (cut % story.length)).map(({ event }) => event)
            const entries = await takeIn(house, s, events)
            const log = foldEntries(createWorkLog(), entries)
            const limit = 1 + more
            expect(await allWork(catalogue, { limit })).toEqual(log)
            const [some] = log
            if (some === undefined) return
            const { tool, outcome, thread, interaction } = some
            const filter = { limit, tool, outcome, thread: thread ?? '' }
            expect(
              await allWork(catalogue, { ...filter, ...(interaction !== null && { interaction }) }),
            ).toEqual(
              log.filter(
                each =>
                  each.tool === tool &&
                  each.outcome === outcome &&
                  each.thread === thread &&
                  (interaction === null || each.interaction === interaction),
              ),
            )
          }),
        ),
        { numRuns: propertyRuns(60) },
      )
    })

    it('[X1] the interactions in the table, with their messages and work, equal those folded from the journal', async () => {
      await fc.assert(
        fc.asyncProperty(
          session({ answers: true, edits: true, owned: true }),
          fc.array(judgement, { maxLength: 6 }),
          fc.nat(2),
          (story, judgements, more) =>
            withCatalogue(open, async house => {
              const { catalogue } = house
              const events = story.map(({ event }) => event)
              for (const { at, interaction, to, parts } of judgements)
                events.splice(1 + (at % events.length), 0, {
                  type: 'validity-changed',
                  target: { interaction: `i${interaction}` as InteractionId, ...(parts && { parts }) },
                  to,
                  by: 'me',
                  reason: '',
                  replacedBy: null,
                })
              const entries = await takeIn(house, s, events)
              const rows: InteractionRow[] = []
              for (let before: number | undefined; ;) {
                const filter = { limit: 1 + more, ...(before !== undefined && { before }) }
                const page = await catalogue.interactions(s, filter)
                rows.unshift(...page.interactions)
                if (page.next === null) break
                before = page.next
              }
              const log = foldEntries(createWorkLog(), entries)
              const whole = foldEntries(createInteractions(), entries)
              expect(rows).toMatchObject(
                whole.map(each => ({
                  ...each,
                  messages: expect.anything() as unknown,
                  validity: each.validity.state,
                })),
              )
              expect(rows.map(({ messages }) => messages.map(({ id }) => id))).toEqual(
                whole.map(({ messages }) => messages),
              )
              for (const { id, work } of rows)
                expect(Object.values(work).reduce((sum, each) => sum + each, 0)).toBe(
                  log.filter(({ interaction }) => interaction === id).length,
                )
            }),
        ),
        { numRuns: propertyRuns(60), endOnFailure: true },
      )
    })
  })
}
