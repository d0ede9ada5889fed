import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { catchUp } from '../../catalogue/catch-up.ts'
import { createCatalogue } from '../../catalogue/sqlite/sqlite-catalogue.fixture.ts'
import { createLedgerFold, manifestAfter, type Manifest } from '../../context/index.ts'
import { createBell } from '../../journal/bell.ts'
import { createMemoryJournal } from '../../journal/memory.ts'
import { foldEntries } from '../../projections/fold.ts'
import type { Event, EventOf } from '../../protocol/event.ts'
import type { ManipulationId, SessionId } from '../../protocol/ids.ts'
import { propertyRuns } from '../../protocol/property-runs.fixture.ts'

const s = 's' as SessionId
const created: Event = { type: 'session-created', agent: 'a', cwd: '/', title: null, options: null }
const rendering = { how: 'keep', moment: 'now' } as const
const actor = { kind: 'person', name: 'p' } as const

const applied = (id: string): Event => ({
  type: 'manipulation-applied',
  manipulation: id as ManipulationId,
  actor,
  strategy: 'pin',
  interactions: [],
  parts: [`m/${id}`],
  to: 'pinned',
  rendering,
  reason: 'r',
  trigger: null,
  replacedBy: null,
  causedBy: null,
  before: [],
  tokens: 0,
  effective: 'applied',
})

const rolledBack = (id: string, names: readonly string[]): Event => ({
  type: 'manipulation-rolled-back',
  rollback: id as ManipulationId,
  manipulations: names as readonly ManipulationId[],
  actor,
  reason: 'r',
})

/** A catalogue that got some events in two halves, the second of them twice. */
async function taken(events: readonly Event[]) {
  const journal = createMemoryJournal(createBell())
  const catalogue = createCatalogue()
  const half = Math.ceil(events.length / 2)
  await journal.create(s, events.slice(0, half))
  await catchUp({ journal, catalogue }, s)
  await journal.append(s, events.slice(half))
  const save: Catalogue['save'] = changes =>
    catalogue.save(changes.filter(({ type }) => type !== 'session-changed'))
  await catchUp({ journal, catalogue: { ...catalogue, save } }, s)
  await catchUp({ journal, catalogue }, s)
  return { catalogue, entries: await journal.read(s, 0, events.length) }
}

it('[X4] after any rollbacks of rollbacks, the table has the same validity as the ledger', async () => {
  const step = fc.record({
    isRollback: fc.boolean(),
    names: fc.uniqueArray(fc.nat(8), { minLength: 1, maxLength: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async steps => {
      const events = steps.map(({ isRollback, names }, index) =>
        isRollback
          ? rolledBack(
              `x${index}`,
              names.map(name => `x${name}`),
            )
          : applied(`x${index}`),
      )
      const { catalogue, entries } = await taken([created, ...events])
      const ledger = foldEntries(createLedgerFold(), entries)
      const rows = await catalogue.audit(s, { after: 0 })
      expect(rows.map(({ id }) => id)).toEqual(events.map((_, index) => `x${index}`))
      for (const { id, holds } of rows) expect([id, holds]).toEqual([id, ledger.holds(id as ManipulationId)])
      const page = await catalogue.manipulations(s, { limit: 100, message: 'm' })
      const touching = rows.filter(({ id, kind }) => {
        const taking = ledger.rollbacks.get(id as ManipulationId)?.manipulations ?? []
        const reaches = (each: string): boolean =>
          ledger.manipulations.has(each as ManipulationId) ||
          (ledger.rollbacks.get(each as ManipulationId)?.manipulations ?? []).some(reaches)
        return kind === 'applied' || taking.some(reaches)
      })
      expect(page.manipulations.map(({ id }) => id)).toEqual(touching.map(({ id }) => id))
    }),
    { numRuns: propertyRuns(300) },
  )
})

type Compiled = EventOf<'context-compiled'>

const change = fc.record({
  part: fc.constantFrom('m/a', 'm/b', 'm/c', 'n/a'),
  decision: fc.option(
    fc.record({
      as: fc.constant('omitted' as const),
      rule: fc.constantFrom('cold', 'thinking'),
      step: fc.nat(9),
    }),
  ),
})

it('[X4] for each request, the table has the same shortened parts as the manifest', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 8 }), async requests => {
      const events = requests.map((changes, index): Compiled => ({
        type: 'context-compiled',
        interaction: null,
        policy: 'safe',
        step: index + 1,
        at: index,
        messages: 1,
        lastMessage: null,
        changes,
        tokens: { before: 10, after: 9 },
        keptMessages: 0,
        isPrefixKept: true,
        isCold: false,
      }))
      const { catalogue } = await taken([created, ...events])
      let manifest: Manifest | null = null
      for (const event of events) {
        manifest = manifestAfter(manifest, event)
        const request = await catalogue.contextRequest(s, event.step)
        const { decisions, total } = await catalogue.contextDecisions(s, {
          asOf: request?.seq ?? 0,
          limit: 100,
        })
        expect(new Map(decisions.map(each => [each.part, each.decision]))).toEqual(manifest.decisions)
        expect(total).toBe(manifest.decisions.size)
      }
      expect(await catalogue.contextTotals(s)).toEqual({
        requests: events.length,
        before: 10 * events.length,
        after: 9 * events.length,
      })
    }),
    { numRuns: propertyRuns(100) },
  )
})
