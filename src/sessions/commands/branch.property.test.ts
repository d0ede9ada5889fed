import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createCatalogue } from '../../catalogue/sqlite/sqlite-catalogue.fixture.ts'
import { createBell } from '../../journal/bell.ts'
import { createMemoryJournal } from '../../journal/memory.ts'
import { foldEntries } from '../../projections/fold.ts'
import { createMessages, type Messages } from '../../projections/messages.ts'
import { project } from '../../projections/projection.ts'
import { session } from '../../projections/session.arbitrary.ts'
import { status } from '../../projections/status.ts'
import type { StoredMessage } from '../../projections/stored-message.ts'
import type { Entry } from '../../protocol/entry.ts'
import { chunksOf } from '../../protocol/event.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { Message } from '../../protocol/message.ts'
import { propertyRuns } from '../../protocol/property-runs.fixture.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import { createPuppet } from '../puppet.fixture.ts'
import { openSessions } from '../sessions.ts'

const [s, b] = ['s' as SessionId, 'b' as SessionId]
const everything = (entries: readonly Entry[]): Messages =>
  foldEntries(createMessages(undefined, { replaced: true }), entries)

/** The messages from one to the first, by parents. */
function pathTo(messages: readonly StoredMessage[], id: string): readonly StoredMessage[] {
  const byId = new Map(messages.map(each => [each.message.id, each]))
  const path: StoredMessage[] = []
  for (let each = byId.get(id); each !== undefined; each = byId.get(each.parent ?? '')) path.unshift(each)
  return path
}

/** A message without its position in the journal; of an unfinished call, only its input. */
const essence = ({ message, partIds, interaction, thread, agent, synthetic, validity }: StoredMessage) => ({
  message: { ...message, metadata: null, parts: message.parts.map(withoutEnd) },
  partIds,
  interaction,
  thread,
  agent,
  synthetic,
  validity,
})

function withoutEnd(part: Message['parts'][number]): unknown {
  if (part.type === 'text' || part.type === 'reasoning') return { ...part, state: 'done' }
  if (part.type !== 'dynamic-tool') return part
  const isOpen = part.state !== 'output-available' || part.preliminary === true
  const isClosed = part.state === 'output-error' && part.errorText.includes('branched')
  return isOpen || isClosed ? { type: part.type, toolCallId: part.toolCallId, tool: part.toolName } : part
}

async function branchAt(entries: readonly Entry[], pick: number) {
  const journal = createMemoryJournal(createBell())
  const catalogue = createCatalogue()
  await journal.create(
    s,
    entries.map(({ event }) => event),
  )
  const agents = [{ ...createPuppet(), name: 'scripted' }]
  await using sessions = await openSessions({ journal, catalogue, agents, dataFolder: '/nowhere' })
  await sessions.get(s)
  const before = await journal.read(s, 0, 10_000)
  const answers = (everything(before).get(null) ?? []).filter(({ message }) => message.role === 'assistant')
  const message = answers[pick % answers.length]?.message.id ?? ''
  await sessions.execute({ type: 'branch', session: s, message, branch: b })
  expect(await journal.read(s, 0, 10_000)).toEqual(before)
  const shown = await sessions.messages(b, { thread: null, limit: 1000 })
  return { before, message, branch: await journal.read(b, 0, 10_000), shown: shown.messages }
}

it('[X5] a branch has the conversation of the original up to the cut, in all threads, well formed; the original is unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(session({ answers: true, edits: true }), fc.nat(), async (entries, pick) => {
      const { before, message, branch, shown } = await branchAt(entries, pick)
      assertWellFormed(branch.flatMap(({ event }) => chunksOf(event)))
      const copied = branch.slice(
        0,
        branch.findIndex(({ event }) => event.type === 'session-branched'),
      )
      expect(project(status, copied).pending).toEqual([])
      const path = pathTo(everything(before).get(null) ?? [], message)
      const kept = new Set(path.map(({ interaction }) => interaction))
      const last = path.at(-1)?.interaction
      const ids = shown.map(each => each.message.id)
      expect(ids.slice(0, path.length)).toEqual(path.map(each => each.message.id))
      for (const { interaction } of shown.slice(path.length)) expect(interaction).toBe(last)

      const cut = before.findIndex(
        ({ event }) => event.type === 'interaction-ended' && event.interaction === last,
      )
      const original = everything(before.slice(0, cut + 1))
      const copy = everything(branch)
      for (const [thread, messages] of original) {
        const expected = messages.filter(({ interaction }) => kept.has(interaction))
        expect((copy.get(thread) ?? []).map(essence)).toEqual(expected.map(essence))
      }
      expect([...copy.values()].flat().every(({ interaction }) => kept.has(interaction))).toBe(true)
    }),
    { numRuns: propertyRuns(60) },
  )
})
