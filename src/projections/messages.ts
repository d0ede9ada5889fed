import type { Thread, ThreadChunk } from '../protocol/chunk.ts'
import type { Entry } from '../protocol/entry.ts'
import { chunksOf, type Event, type EventOf } from '../protocol/event.ts'
import type { InteractionId } from '../protocol/ids.ts'
import type { ToolApproval } from '../protocol/message.ts'
import { createFold, type Fold } from './fold.ts'
import { createMessageLists, type MessageLists, type Slot } from './message-lists.ts'
import { createFixedDraft, createStoredDraft } from './stored-draft.ts'
import type { StoredMessage } from './stored-message.ts'
import { createThreadCursor } from './thread-cursor.ts'
import { userMessage } from './user-message.ts'
import { createLedger, recordChange, type ValidityLedger } from './validity.ts'

/** The messages of each thread in the order in which they began; the main conversation is under `null`. */
export type Messages = ReadonlyMap<Thread, readonly StoredMessage[]>

interface Known {
  readonly lists: MessageLists
  readonly cursor: ReturnType<typeof createThreadCursor>
  readonly interactions: Map<InteractionId, { readonly agent: string; readonly synthetic: boolean }>
  readonly ledgers: Map<InteractionId, ValidityLedger>
  /** Which call each unanswered question is about. */
  readonly questions: Map<string, { readonly slot: Slot; readonly toolCallId: string }>
  /** Which message holds the call that a thread is named after. */
  readonly callers: Map<string, string>
  /** The agent that speaks outside of every interaction. */
  agent: string
}

/** Folds entries into the messages that are kept, per thread. */
export function createMessages(): Fold<Messages> {
  const ledgers = new Map<InteractionId, ValidityLedger>()
  const known: Known = {
    lists: createMessageLists(ledgers),
    cursor: createThreadCursor(),
    interactions: new Map(),
    ledgers,
    questions: new Map(),
    callers: new Map(),
    agent: '',
  }
  return createFold(
    entry => take(known, entry),
    () => known.lists.view(),
  )
}

function take(known: Known, entry: Entry): boolean {
  const { event } = entry
  if (event.type === 'session-created' || event.type === 'agent-connected') known.agent = event.agent
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
  const message = userMessage(event)
  if (message === null || known.lists.find(null, message.id) !== undefined) return
  const kept = { message, partIds: message.parts.map(() => null) }
  const parent = known.lists.newest(null)
  const origin = { interaction, thread: null, parent, agent, synthetic, firstSeq: entry.seq }
  known.lists.add(message.id, origin, createFixedDraft(kept))
}

function hear(known: Known, entry: Entry, said: ThreadChunk): void {
  const id = known.cursor.follow(said)
  if (id === null) return
  const { thread, chunk } = said
  const slot = known.lists.find(thread, id) ?? beginMessage(known, entry, thread, id)
  if (chunk.type === 'tool-approval-request')
    known.questions.set(chunk.approvalId, { slot, toolCallId: chunk.toolCallId })
  if (chunk.type === 'tool-input-start' || chunk.type === 'tool-input-available')
    known.callers.set(chunk.toolCallId, id)
  if (slot.draft.push(chunk)) known.lists.touch(slot, entry.seq)
}

function beginMessage(known: Known, entry: Entry, thread: Thread, id: string): Slot {
  const interaction = interactionOf(entry.event)
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
