import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Chunk } from '../protocol/chunk.ts'
import type { Entry } from '../protocol/entry.ts'
import { chunksOf } from '../protocol/event.ts'
import type { Message } from '../protocol/message.ts'
import { propertyRuns } from '../protocol/property-runs.fixture.ts'
import { foldMessage } from './fold-message.ts'
import { foldEntries } from './fold.ts'
import { createMessages, type Messages } from './messages.ts'
import type { StoredMessage } from './stored-message.ts'
import { session } from './session.arbitrary.ts'
import { createThreadCursor } from './thread-cursor.ts'

const messagesOf = (entries: Iterable<Entry>) => foldEntries(createMessages(), entries)

/** What a client would assemble from the chunks of each message. */
function folded(entries: readonly Entry[]): Map<string, Message> {
  const cursor = createThreadCursor()
  const chunks = new Map<string, Chunk[]>()
  for (const said of entries.flatMap(({ event }) => chunksOf(event))) {
    const id = cursor.follow(said) ?? ''
    chunks.set(id, [...(chunks.get(id) ?? []), said.chunk])
  }
  return new Map(Array.from(chunks, ([id, each]) => [id, foldMessage(each)]))
}

const flat = (messages: Messages) =>
  new Map([...messages.values()].flat().map(stored => [`${stored.thread} ${stored.message.id}`, stored]))

const assistants = (entries: readonly Entry[]) =>
  [...messagesOf(entries).values()].flat().filter(({ message }) => message.role === 'assistant')

/** A message without what only the kept form knows: the answers to approvals. */
function withoutAnswers(message: Message): unknown {
  return message.parts.map(part => {
    if (part.type !== 'dynamic-tool' || !('approval' in part) || part.approval === undefined) return part
    const state = part.state === 'approval-responded' ? 'approval-requested' : part.state
    const changed = JSON.stringify(part.input) === '{"changed":true}'
    return { ...part, state, input: changed ? 'either' : part.input, approval: { id: part.approval.id } }
  })
}

describe('createMessages', () => {
  it('[P6] stores the messages that a client assembles, for any session', () => {
    fc.assert(
      fc.property(session({ answers: false }), entries => {
        const wire = folded(entries)
        const kept = assistants(entries)
        expect(kept).toHaveLength(wire.size)
        for (const { message } of kept) expect(message).toEqual(wire.get(message.id))
      }),
      { numRuns: propertyRuns(50) },
    )
  })

  it('[P6] differs from them only by the answers to approvals', () => {
    fc.assert(
      fc.property(session({ answers: true }), entries => {
        const changed = new Set(
          entries.flatMap(({ event }) =>
            event.type === 'approval-answered' && event.input !== undefined ? [event.approval] : [],
          ),
        )
        const wire = folded(entries)
        for (const { message } of assistants(entries)) {
          const other = wire.get(message.id)
          const parts = other?.parts.map(part => {
            const id = 'approval' in part ? part.approval?.id : undefined
            return id !== undefined && changed.has(id as never) ? { ...part, input: { changed: true } } : part
          })
          const same = { id: message.id, role: message.role, parts: parts ?? [] } as Message
          expect(withoutAnswers(message)).toEqual(withoutAnswers(same))
        }
      }),
      { numRuns: propertyRuns(50) },
    )
  })

  it('[J5] shows the path of parents from the newest message to the first, despite edits', () => {
    fc.assert(
      fc.property(session({ answers: true, edits: true }), fc.nat(), (entries, cut) => {
        const seen = entries.slice(0, 1 + (cut % entries.length))
        const shown = messagesOf(seen).get(null) ?? []
        const all = foldEntries(createMessages(undefined, { replaced: true }), seen).get(null) ?? []
        const byId = new Map(all.map(each => [each.message.id, each]))
        const path: StoredMessage[] = []
        for (let each = all.at(-1); each !== undefined; each = byId.get(each.parent ?? '')) path.unshift(each)
        expect(shown).toEqual(path)
        const started = new Map(
          seen.flatMap(({ event, seq }) =>
            event.type === 'interaction-started' ? [[event.interaction, seq] as const] : [],
          ),
        )
        for (const { replacedBy, firstSeq } of all)
          if (replacedBy !== null) expect(started.get(replacedBy)).toBeGreaterThan(firstSeq)
      }),
      { numRuns: propertyRuns(100) },
    )
  })

  it('gives the same view whether or not it is read in between', () => {
    fc.assert(
      fc.property(
        session({ answers: true, edits: true }),
        fc.array(fc.boolean(), { minLength: 1 }),
        (entries, looks) => {
          const fold = createMessages()
          for (const [index, entry] of entries.entries()) {
            fold.apply(entry)
            if (looks[index % looks.length]) fold.view()
          }
          expect(fold.view()).toEqual(messagesOf(entries))
        },
      ),
      { numRuns: propertyRuns(50) },
    )
  })

  it('[C3] keeps the objects of unchanged messages', () => {
    fc.assert(
      fc.property(session({ answers: true, edits: true }), entries => {
        const fold = createMessages()
        for (const entry of entries) {
          const before = flat(fold.view())
          fold.apply(entry)
          const after = flat(fold.view())
          const changed = [...before].filter(([key, stored]) => after.get(key) !== stored)
          for (const [key, stored] of changed) expect(after.get(key)).not.toEqual(stored)
        }
      }),
      { numRuns: propertyRuns(30) },
    )
  })
})
