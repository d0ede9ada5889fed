import type { Thread, ThreadChunk } from '../protocol/chunk.ts'
import type { Entry } from '../protocol/entry.ts'
import { chunksOf, type Event, type EventOf } from '../protocol/event.ts'
import type { ToolApproval } from '../protocol/message.ts'
import { createFold, type Fold } from './fold.ts'
import type { ListOptions, Slot } from './message-lists.ts'
import { knowNothing, knowSeed, type Known } from './messages-known.ts'
import type { MessagesUnderway, SnapshotSeed } from './snapshot-seed.ts'
import { createFixedDraft, createStoredDraft } from './stored-draft.ts'
import type { StoredMessage } from './stored-message.ts'
import { userMessage } from './user-message.ts'
import { createLedger, recordChange } from './validity.ts'

/**
 * The messages of each thread in the order in which they began; the main conversation is under `null`, without those
 * that were replaced.
 */
export type Messages = ReadonlyMap<Thread, readonly StoredMessage[]>

/** A fold of messages, which can be left for another to go on. */
export interface MessagesFold extends Fold<Messages> {
  /** What is under way beside what the messages show. */
  underway(): MessagesUnderway
}

/** Folds entries into the messages that are kept, per thread, from the first entry or from a snapshot on. */
export function createMessages(
  seed?: SnapshotSeed,
  options: ListOptions = { replaced: false },
): MessagesFold {
  const known = seed === undefined ? knowNothing(options) : knowSeed(seed, options)
  const fold = createFold(
    entry => take(known, entry),
    () => known.lists.view(),
  )
  return { ...fold, underway: () => underwayIn(known) }
}

function take(known: Known, entry: Entry): boolean {
  const { event } = entry
  if ('agent' in event) known.agent = event.agent
  if (event.type === 'interaction-started') beginInteraction(known, entry, event)
  if (event.type === 'approval-answered') answer(known, entry, event)
  if (event.type === 'validity-changed') changeValidity(known, entry, event)
  for (const said of chunksOf(event)) hear(known, entry, said)
  return known.lists.changed()
}

function beginInteraction(known: Known, entry: Entry, event: EventOf<'interaction-started'>): void {
  const { interaction, agent } = event
  const synthetic = event.trigger !== 'user'
  known.interactions.set(interaction, { agent, synthetic })
  known.before?.since.add(interaction)
  if (event.parent !== undefined) known.lists.replaceAfter(event.parent, interaction)
  const message = userMessage(event)
  if (message === null || known.lists.find(null, message.id) !== undefined) return
  const kept = { message, partIds: message.parts.map(() => null) }
  const parent = event.parent === undefined ? known.lists.newest(null) : event.parent
  const origin = { interaction, thread: null, parent, agent, synthetic, firstSeq: entry.seq }
  known.lists.add(message.id, origin, createFixedDraft(kept))
}

function hear(known: Known, entry: Entry, said: ThreadChunk): void {
  const id = known.cursor.follow(said)
  if (id === null) return
  const { thread, chunk } = said
  const slot = known.lists.find(thread, id) ?? beginMessage(known, entry, said, id)
  if (slot === null) return
  if (chunk.type === 'tool-approval-request')
    known.questions.set(chunk.approvalId, { slot, toolCallId: chunk.toolCallId })
  if (chunk.type === 'tool-input-start' || chunk.type === 'tool-input-available')
    known.callers.set(chunk.toolCallId, id)
  if (slot.draft.push(chunk)) known.lists.touch(slot, entry.seq)
}

function beginMessage(known: Known, entry: Entry, said: ThreadChunk, id: string): Slot | null {
  const { thread } = said
  const interaction = interactionOf(entry.event)
  if (known.before !== null && !known.before.isNew(said, id, interaction)) return null
  const { agent, synthetic } = (interaction !== null && known.interactions.get(interaction)) || {
    agent: known.agent,
    synthetic: true,
  }
  const caller = thread === null ? null : (known.callers.get(thread) ?? null)
  const parent = known.lists.newest(thread) ?? caller
  const origin = { interaction, thread, parent, agent, synthetic, firstSeq: entry.seq }
  return known.lists.add(id, origin, createStoredDraft())
}

const interactionOf = (event: Event) => ('interaction' in event ? event.interaction : null)

/** The first answer counts. */
function answer(known: Known, { seq }: Entry, event: EventOf<'approval-answered'>): void {
  const question = known.questions.get(event.approval)
  if (question === undefined) return
  known.questions.delete(event.approval)
  const { approval: id, approved, reason, input } = event
  const approval: ToolApproval = { id, approved, ...(reason !== null && { reason }) }
  question.slot.draft.answer(question.toolCallId, approval, input)
  known.lists.touch(question.slot, seq)
}

function changeValidity(known: Known, entry: Entry, event: EventOf<'validity-changed'>): void {
  const { interaction } = event.target
  const ledger = known.ledgers.get(interaction) ?? createLedger()
  known.ledgers.set(interaction, ledger)
  recordChange(ledger, entry, event)
  known.lists.touchInteraction(interaction)
}

function underwayIn({ cursor, lists, ledgers }: Known): MessagesUnderway {
  const retellings = cursor.live().flatMap(({ thread, message }) => {
    const paused = lists.find(thread, message)?.draft.paused()
    return paused ? [{ thread, message, ...paused }] : []
  })
  const validity = Array.from(ledgers, ([interaction, { history: changes }]) => ({ interaction, changes }))
  return { retellings, validity }
}
