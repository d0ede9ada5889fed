import * as fc from 'fast-check'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Agent } from '../../agents/agent.ts'
import { loadAgents } from '../../agents/index.ts'
import { foldEntries } from '../../projections/fold.ts'
import {
  answered,
  ask,
  call,
  created,
  journal,
  said,
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
import type { ConnectionId } from '../../protocol/ids.ts'
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

/** A recording as a journal would have it: one interaction, an entry for each line. Lines that a journal shortens are left out. */
function play(agent: Agent, path: string): readonly Entry[] {
  let state = agent.initial('recording' as ConnectionId)
  const lines = readFileSync(path, 'utf8').split('\n')
  const events = lines.flatMap(text => {
    if (text === '' || text.length > longestLine) return []
    const raw = agent.readRecorded ? agent.readRecorded(text) : ({ from: 'agent', text } as const)
    if (raw === null) return []
    const [next, chunks] = agent.translate(state, raw)
    state = next
    return chunks.length === 0 ? [] : [said('i', chunks)]
  })
  return JSON.parse(JSON.stringify(journal(created(), started('i', 'Hello'), ...events))) as readonly Entry[]
}

const longestLine = 1 << 20

/** Follows a session from a cut, and compares it with the whole now and then. */
function follow(entries: readonly Entry[], cut: number): 'same' | 'stale' {
  const seed = snapshotOf(entries.slice(0, cut))
  const fold = createConversation(seed)
  const isReopened = watchReopened(entries.slice(0, cut))
  const rest = entries.slice(cut)
  const every = Math.ceil(rest.length / 4)
  for (const [at, entry] of rest.entries()) {
    fold.apply(entry)
    const isLooked = !isReopened(entry) && ((at + 1) % every === 0 || at + 1 === rest.length)
    if (fold.isStale()) return 'stale'
    if (isLooked) expectSame(fold, seed, entries.slice(0, entry.seq))
  }
  return 'same'
}

const withRecordings = (await loadAgents()).flatMap(agent => {
  const folder = join(import.meta.dirname, `../../agents/${agent.name}/recordings`)
  const files = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.jsonl')) : []
  return files.length === 0 ? [] : [{ agent, name: agent.name, folder, files }]
})

describe.each(withRecordings)(
  'createConversation with the recordings of $name',
  ({ agent, folder, files }) => {
    it('[T4] [W6] shows from any snapshot on what a replay of all entries shows, or knows that it is stale', () => {
      const outcomes = files.flatMap(file => {
        const entries = play(agent, join(folder, file))
        const cuts = [2, 0.3, 0.7].map(place =>
          place < 1 ? 2 + Math.floor((entries.length - 2) * place) : place,
        )
        return [...new Set(cuts)].filter(cut => cut < entries.length).map(cut => follow(entries, cut))
      })
      // Where everything is stale, nothing was compared.
      expect(outcomes.filter(each => each === 'same').length).toBeGreaterThan(outcomes.length / 2)
    })
  },
)

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
          const chunks = chunksOf(entry.event)
          for (const [thread, shown] of fold.view()) {
            const old = new Map(before.get(thread)?.map(each => [each.message.id, each]))
            const others = shown.filter(each => old.has(each.message.id) && old.get(each.message.id) !== each)
            expect(others.length).toBeLessThanOrEqual(Math.max(1, chunks.length))
            for (const { message } of others) {
              const parts = new Set<unknown>(old.get(message.id)?.message.parts)
              const changed = message.parts.filter(part => !parts.has(part))
              expect(changed.length).toBeLessThanOrEqual(Math.max(1, chunks.length))
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
