import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createBell } from '../journal/bell.ts'
import { createMemoryJournal } from '../journal/memory.ts'
import { foldEntries } from '../projections/fold.ts'
import { createMessages } from '../projections/messages.ts'
import { project } from '../projections/projection.ts'
import { session } from '../projections/session.arbitrary.ts'
import type { SnapshotSeed } from '../projections/snapshot-seed.ts'
import { expectSameView } from '../projections/snapshot.fixture.ts'
import type { SessionId } from '../protocol/ids.ts'
import { propertyRuns } from '../protocol/property-runs.fixture.ts'
import { catchUp } from './catch-up.ts'
import { readSnapshot } from './read-snapshot.ts'
import { sessionState } from './session-state.ts'
import { createCatalogue } from './sqlite/sqlite-catalogue.fixture.ts'

const s = 's' as SessionId

it('[T4] a snapshot from newer tables is still as of its entry, and a view can continue from it', async () => {
  await fc.assert(
    fc.asyncProperty(
      session({ answers: true, edits: true, owned: true }),
      fc.nat(),
      fc.nat(),
      fc.integer({ min: 1, max: 10 }),
      async (told, place, ahead, limit) => {
        const journal = createMemoryJournal(createBell())
        const house = { journal, catalogue: createCatalogue() }
        const cut = 1 + (place % told.length)
        const known = cut + (ahead % (told.length - cut + 1))
        const events = told.map(({ event }) => event)
        await journal.create(s, events.slice(0, known))
        await catchUp(house, s)
        await journal.append(s, events.slice(known))
        const entries = await journal.read(s, 0, events.length)
        const state = project(sessionState, entries.slice(0, cut))
        if (state === null) throw new Error('There is no session.')
        const read = await readSnapshot(house, state, limit)
        const details = { ...state.summary, queue: state.queue }
        const snapshot = JSON.parse(JSON.stringify({ session: details, ...read })) as SnapshotSeed
        expect(snapshot.asOf).toBe(cut)
        const conversation = foldEntries(createMessages(), entries.slice(0, cut)).get(null) ?? []
        const main = snapshot.messages.filter(({ thread }) => thread === null)
        expect(main).toEqual(JSON.parse(JSON.stringify(conversation.slice(-limit))))
        expect(read.next).toBe(conversation.length > limit ? (main[0]?.firstSeq ?? null) : null)
        expectSameView(snapshot, entries)
      },
    ),
    { numRuns: propertyRuns(100) },
  )
})
