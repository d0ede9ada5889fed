import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldEntries } from '../../projections/fold.ts'
import {
  answered,
  ask,
  call,
  created,
  journal,
  spoke,
  start,
  started,
} from '../../projections/journal.fixture.ts'
import { createMessages } from '../../projections/messages.ts'
import { session as anySession } from '../../projections/session.arbitrary.ts'
import { snapshotOf } from '../../projections/snapshot.fixture.ts'
import type { SnapshotSeed } from '../../projections/snapshot-seed.ts'
import type { Thread } from '../../protocol/chunk.ts'
import type { Entry } from '../../protocol/entry.ts'
import { chunksOf } from '../../protocol/event.ts'
import { propertyRuns } from '../../protocol/property-runs.fixture.ts'
import { createConversation, type ConversationFold } from './conversation.ts'

/** The snapshot at a cut and the entries after it, as they come over the wire. */
const cutSession = fc
  .record({
    entries: anySession({ answers: true, edits: true, owned: true }),
    cut: fc.nat(),
    limit: fc.integer({ min: 1, max: 10 }),
  })
  .map(({ entries, cut, limit }) => {
    const at = 1 + (cut % entries.length)
    const wire = JSON.parse(JSON.stringify(entries)) as readonly Entry[]
    return { wire, at, seed: snapshotOf(wire.slice(0, at), limit) }
  })

/** Messages that lie before the snapshot's are not there; of those it has, and of later ones, none is missing. */
function expectSame(fold: ConversationFold, seed: SnapshotSeed, entries: readonly Entry[]): void {
  const known = new Set(seed.messages.map(({ thread, message }) => `${thread ?? ''} ${message.id}`))
  for (const [thread, all] of foldEntries(createMessages(), entries)) {
    const shown = all.filter(
      ({ message, firstSeq }) => known.has(`${thread ?? ''} ${message.id}`) || firstSeq > seed.asOf,
    )
    // A subagent that had gone by then, and comes back, is shown as far as it is known.
    if (thread !== null && shown.length < all.length) continue
    const expected = shown.map(({ message, interaction, firstSeq, validity }) => ({
      message,
      interaction,
      thread,
      firstSeq,
      validity,
    }))
    expect(fold.view().get(thread) ?? []).toEqual(expected)
  }
  // A call without words of its own is no thread.
  for (const [thread, shown] of fold.view()) if (thread !== null) expect(shown).not.toEqual([])
}

/** Whether, after an entry, a message is open that was begun before: it is shown anew only when it is closed. */
function watchReopened(before: readonly Entry[]): (entry: Entry) => boolean {
  const known = new Set<string>()
  const open = new Set<Thread>()
  const hear = ({ event }: Entry) => {
    for (const { thread, chunk } of chunksOf(event)) {
      if (chunk.type === 'finish') open.delete(thread)
      if (chunk.type !== 'start') continue
      const key = `${thread ?? ''} ${chunk.messageId}`
      if (known.has(key)) open.add(thread)
      known.add(key)
    }
    return open.size > 0
  }
  before.forEach(hear)
  return hear
}

describe('createConversation', () => {
  it('[T4] shows at every moment what the journal tells, or knows that it must be read anew', () => {
    let [looks, stale] = [0, 0]
    fc.assert(
      fc.property(cutSession, fc.integer({ min: 1, max: 9 }), ({ wire, at, seed }, every) => {
        const fold = createConversation(seed)
        const isReopened = watchReopened(wire.slice(0, at))
        for (const entry of wire.slice(at)) {
          fold.apply(entry)
          const isLooked = !isReopened(entry) && entry.seq % every === 0
          if (fold.isStale()) {
            stale += 1
            return
          }
          if (!isLooked) continue
          looks += 1
          expectSame(fold, seed, wire.slice(0, entry.seq))
        }
      }),
      { numRuns: propertyRuns(150) },
    )
    // Both must happen, or nothing was tested.
    expect(looks).toBeGreaterThan(100)
    expect(stale).toBeGreaterThan(5)
  })

  it('[T6] keeps the first answer to a question when another one follows', () => {
    const question = spoke('i', null, start('m'), call('c'), ask('c', 'q'))
    const entries = journal(
      created(),
      started('i'),
      question,
      answered('q'),
      answered('q', { approved: false }),
    )
    const fold = createConversation(snapshotOf(entries.slice(0, 2)))
    for (const entry of entries.slice(2)) fold.apply(entry)
    const [, shown] = fold.view().get(null) ?? []
    expect(shown?.message.parts).toMatchObject([{ toolCallId: 'c', approval: { id: 'q', approved: true } }])
  })

  it('[C3] keeps what an entry does not touch, and what a new snapshot has as it was', () => {
    fc.assert(
      fc.property(cutSession, ({ wire, at, seed }) => {
        const fold = createConversation(seed)
        for (const entry of wire.slice(at)) {
          const before = fold.view()
          fold.apply(entry)
          const said = chunksOf(entry.event)
          for (const [thread, shown] of fold.view()) {
            const old = new Map(before.get(thread)?.map(each => [each.message.id, each]))
            const others = shown.filter(each => old.has(each.message.id) && old.get(each.message.id) !== each)
            expect(others.length).toBeLessThanOrEqual(Math.max(1, said.length))
            for (const { message } of others) {
              const parts = new Set<unknown>(old.get(message.id)?.message.parts)
              const changed = message.parts.filter(part => !parts.has(part))
              expect(changed.length).toBeLessThanOrEqual(Math.max(1, said.length))
            }
          }
        }
        const first = createConversation(seed).view()
        const again = createConversation(JSON.parse(JSON.stringify(seed)) as SnapshotSeed, first).view()
        for (const [thread, shown] of first)
          shown.forEach((each, index) => expect(again.get(thread)?.[index]).toBe(each))
      }),
      { numRuns: propertyRuns(40) },
    )
  })
})
