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
  finish,
  journal,
  said,
  spoke,
  start,
  started,
  text,
} from '../../projections/journal.fixture.ts'
import { applyToMessages, showMessages } from '../../projections/messages-fold.ts'
import { createMessages } from '../../projections/messages.ts'
import { session as anySession } from '../../projections/session.arbitrary.ts'
import { snapshotOf } from '../../projections/snapshot.fixture.ts'
import type { SnapshotSeed } from '../../projections/snapshot-seed.ts'
import type { Chunk, Thread } from '../../protocol/chunk.ts'
import type { Entry } from '../../protocol/entry.ts'
import { chunksOf, continuesText } from '../../protocol/event.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import { propertyRuns } from '../../protocol/property-runs.fixture.ts'
import { createLiveMessages, viewAfter } from './session-model.ts'
import { closed } from './session-state.ts'

const createConversation = (seed: SnapshotSeed, before?: ReturnType<typeof showMessages>) => {
  const state = createLiveMessages(seed, before)
  return {
    apply: (entry: Entry) => applyToMessages(state, entry),
    view: () => showMessages(state),
    isStale: () => state.isStale,
  }
}
type ConversationFold = ReturnType<typeof createConversation>

/** The snapshot at a cut and the entries after it, as a client receives them. */
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

/** Messages before the snapshot's are not there; all others are. */
function expectSame(fold: ConversationFold, seed: SnapshotSeed, entries: readonly Entry[]): void {
  const known = new Set(seed.messages.map(({ thread, message }) => `${thread ?? ''} ${message.id}`))
  for (const [thread, all] of foldEntries(createMessages(), entries)) {
    const shown = all.filter(
      ({ message, firstSeq }) => known.has(`${thread ?? ''} ${message.id}`) || firstSeq > seed.asOf,
    )
    // A subagent that had ended by then and continues later is shown as far as it is known.
    if (thread !== null && shown.length < all.length) continue
    const expected = shown.map(({ message, interaction, firstSeq, validity }) => ({
      message,
      interaction,
      thread,
      firstSeq,
      validity,
    }))
    expect(
      (fold.view().get(thread) ?? []).map(({ message, interaction, firstSeq, validity }) => ({
        message,
        interaction,
        thread,
        firstSeq,
        validity,
      })),
    ).toEqual(expected)
  }
  // A call without messages does not have a thread.
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
  const events = lines.flatMap(line => {
    if (line === '' || line.length > longestLine) return []
    const raw = agent.readRecorded ? agent.readRecorded(line) : ({ from: 'agent', text: line } as const)
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
    it('[T4] [W6] shows the same from any snapshot as a replay of all entries, or is stale', () => {
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
  it('[T4] shows the same after every entry as a fold of the whole journal, or is stale', () => {
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

  it('[C3] keeps the objects of messages that neither an entry nor a new snapshot changed', () => {
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

  it('[J5] leaves a repeated message as it was, and is stale at its end', () => {
    const message = (...last: readonly Chunk[]) => spoke('i', null, start('m'), ...text('t', 'Hi'), ...last)
    const entries = journal(created(), started('i'), message(finish), message(), spoke('i', null, finish))
    const fold = createConversation(snapshotOf(entries.slice(0, 3)))
    const before = fold.view()
    for (const [entry, isStale] of [
      [entries[3], false],
      [entries[4], true],
    ] as const) {
      if (entry) fold.apply(entry)
      expect(fold.isStale()).toBe(isStale)
      expect(fold.view()).toBe(before)
    }
  })
})

describe('viewAfter', () => {
  it('[C3] is the same after an entry that only continues text', () => {
    let continued = 0
    fc.assert(
      fc.property(anySession({ answers: true, edits: true }), entries => {
        let { messages: _, ...view } = closed.view
        for (const entry of entries) {
          const after = viewAfter(view, entry)
          if (continuesText(entry.event)) {
            continued += 1
            for (const name of Object.keys(view) as (keyof typeof view)[])
              expect(after[name]).toBe(view[name])
          }
          view = after
        }
      }),
      { numRuns: propertyRuns(50) },
    )
    expect(continued).toBeGreaterThan(20)
  })
})
