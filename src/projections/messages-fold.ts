import type { Thread, ThreadChunk } from '../protocol/chunk.ts'
import type { Entry } from '../protocol/entry.ts'
import { chunksOf, type Event, type EventOf } from '../protocol/event.ts'
import type { InteractionId } from '../protocol/ids.ts'
import type { Message } from '../protocol/message.ts'
import { openThreads, type OpenParts } from '../protocol/open-parts.ts'
import type { MessageDraft } from './message-draft.ts'
import {
  addSlot,
  replaceAfter,
  showSlots,
  slotsOf,
  touchSlot,
  type Slot,
  type Slots,
} from './message-slots.ts'
import type { FilterRepeats, PausedRepeat, RepeatFilter } from './repeat-filter.ts'
import type { SnapshotSeed } from './snapshot-seed.ts'
import { createStoredDraft, type StoredDraft } from './fold-message.ts'
import type { PlacedMessage } from './stored-message.ts'
import { createThreadCursor, type ThreadCursor } from './thread-cursor.ts'
import { userMessage } from './user-message.ts'

/** What folds of messages differ in. */
export interface MessagesRules<Stored extends PlacedMessage> {
  /** Completes a message that begins after the others of its thread. */
  begin(shown: PlacedMessage, path: readonly Slot<Stored>[], event: Event): Stored
  /** Whether replaced messages are shown, too. */
  readonly replaced?: boolean
  /** Handles messages that are opened again; without it, the messages are stale then. */
  readonly filterRepeats?: FilterRepeats
  /** Completes a message that changed. */
  finish?(stored: Stored): Stored
}

/** Messages in the making. */
export interface MessagesState<Stored extends PlacedMessage> extends Slots<Stored> {
  readonly rules: MessagesRules<Stored> & { readonly filterRepeats: FilterRepeats }
  readonly cursor: ThreadCursor
  /** The call that each unanswered approval is about. */
  readonly questions: Map<string, { readonly slot: Slot<Stored>; readonly toolCallId: string }>
  /** The messages with something open at the snapshot; undefined for a fold that begins with the first entry. */
  readonly before: OpenParts['messages'] | undefined
  /** The interaction that ran at the snapshot, and those that began later. */
  readonly since: Set<InteractionId | null>
  /** Whether the validity of a message changed, or one was opened again without a filter of repeats. */
  isStale: boolean
}

type SeedOf<Stored> = Omit<SnapshotSeed, 'messages'> & { readonly messages: readonly Stored[] }

/** Begins before the first entry, or at a snapshot as if all entries before it had been applied. */
export function createMessagesState<Stored extends PlacedMessage>(
  rules: MessagesRules<Stored>,
  seed?: SeedOf<Stored>,
): MessagesState<Stored> {
  const before = seed?.continuation.open.messages
  const state: MessagesState<Stored> = {
    rules: { filterRepeats: (draft, paused) => skipRepeats(state, draft, paused), ...rules },
    threads: new Map(),
    shown: null,
    cursor: createThreadCursor(before),
    questions: new Map(),
    before,
    since: new Set(),
    isStale: false,
  }
  if (seed) addSeed(state, seed)
  return state
}

function addSeed<Stored extends PlacedMessage>(
  state: MessagesState<Stored>,
  { session: { running }, messages, continuation: { open, retellings } }: SeedOf<Stored>,
): void {
  const { questions, since } = state
  if (running) since.add(running.interaction)
  for (const stored of messages) {
    const { thread, message } = stored
    const paused = retellings.find(each => each.thread === thread && each.message === message.id)
    const slot = addSlot(
      state,
      stored,
      paused ? createStoredDraft(state.rules.filterRepeats, stored, paused) : null,
    )
    for (const part of message.parts)
      if ('approval' in part && part.approval && part.approval.approved === undefined)
        questions.set(part.approval.id, { slot, toolCallId: part.toolCallId })
  }
  for (const thread of openThreads(open)) slotsOf(state, thread)
}

/** The messages of each thread in the order in which they began; the main conversation is under `null`. */
export const showMessages = <Stored extends PlacedMessage>(state: MessagesState<Stored>) =>
  showSlots(state, state.rules.replaced, slot => show(state.rules, slot))

function show<Stored extends PlacedMessage>(rules: MessagesRules<Stored>, slot: Slot<Stored>): Stored {
  if (slot.isChanged) {
    const stored = { ...slot.stored, ...slot.draft?.finish(), lastSeq: slot.lastSeq }
    slot.stored = rules.finish?.(stored) ?? stored
    slot.isChanged = false
  }
  return slot.stored
}

/** Applies an entry to the messages. */
export function applyToMessages<Stored extends PlacedMessage>(
  state: MessagesState<Stored>,
  entry: Entry,
): void {
  const { event } = entry
  if (event.type === 'interaction-started') beginInteraction(state, entry, event)
  if (event.type === 'approval-answered') answer(state, entry, event)
  state.isStale ||= event.type === 'validity-changed'
  for (const each of chunksOf(event)) addChunk(state, entry, each)
}

function beginInteraction<Stored extends PlacedMessage>(
  state: MessagesState<Stored>,
  entry: Entry,
  event: EventOf<'interaction-started'>,
): void {
  const { interaction, parent } = event
  state.since.add(interaction)
  if (parent !== undefined) replaceAfter(state, parent, interaction)
  const message = userMessage(event)
  if (message && !slotsOf(state, null).byId.has(message.id)) begin(state, entry, null, message)
}

/** Begins a message: a person's is complete, an agent's has a draft. */
function begin<Stored extends PlacedMessage>(
  state: MessagesState<Stored>,
  { seq, event }: Entry,
  thread: Thread,
  message: Message,
  draft: StoredDraft | null = null,
): Slot<Stored> {
  const shown: PlacedMessage = {
    message,
    partIds: message.parts.map(() => null),
    interaction: interactionOf(event),
    thread,
    firstSeq: seq,
    lastSeq: seq,
    validity: 'active',
    replacedBy: null,
  }
  return addSlot(state, state.rules.begin(shown, slotsOf(state, thread).path, event), draft, true)
}

const interactionOf = (event: Event) => ('interaction' in event ? event.interaction : null)

function addChunk<Stored extends PlacedMessage>(
  state: MessagesState<Stored>,
  entry: Entry,
  from: ThreadChunk,
): void {
  const { thread, chunk } = from
  const id = state.cursor.follow(from)
  if (id === null) return
  const known = state.threads.get(thread)
  const slot = known?.byId.get(id) ?? beginMessage(state, entry, from, id)
  // An old message that is not here has ended.
  if (!slot) return void (state.isStale ||= chunk.type === 'finish' && known !== undefined)
  if (chunk.type === 'tool-approval-request')
    state.questions.set(chunk.approvalId, { slot, toolCallId: chunk.toolCallId })
  if (slot.stored.message.role === 'assistant' && draftOf(state, slot).push(chunk))
    touchSlot(state, slot, entry.seq)
}

/**
 * An unknown message is new if its interaction is new, or if it is in the thread of a running subagent. Any other unknown
 * message is older than the snapshot: it is reopened for a late result, or repeated.
 */
function beginMessage<Stored extends PlacedMessage>(
  state: MessagesState<Stored>,
  entry: Entry,
  { thread, chunk }: ThreadChunk,
  id: string,
): Slot<Stored> | null {
  const { before, since } = state
  const isNew =
    !before ||
    (chunk.type === 'start' &&
      !before.some(({ messageId }) => messageId === id) &&
      (since.has(interactionOf(entry.event)) || (thread !== null && state.threads.has(thread))))
  const message = { id, role: 'assistant', parts: [] } as const
  return isNew ? begin(state, entry, thread, message, createStoredDraft(state.rules.filterRepeats)) : null
}

/** The first answer counts. */
function answer<Stored extends PlacedMessage>(
  state: MessagesState<Stored>,
  { seq }: Entry,
  { approval: id, approved, reason, input }: EventOf<'approval-answered'>,
): void {
  const question = state.questions.get(id)
  if (!question) return
  state.questions.delete(id)
  const { slot, toolCallId } = question
  draftOf(state, slot).answer(toolCallId, { id, approved, ...(reason !== null && { reason }) }, input)
  touchSlot(state, slot, seq)
}

const draftOf = <Stored extends PlacedMessage>(
  state: MessagesState<Stored>,
  slot: Slot<Stored>,
): StoredDraft => (slot.draft ??= createStoredDraft(state.rules.filterRepeats, slot.stored))

/** Leaves a message that is opened again as it was. When it ends, a new snapshot shows its final state. */
function skipRepeats(
  state: { isStale: boolean },
  draft: MessageDraft,
  paused: PausedRepeat | undefined,
): RepeatFilter {
  let isSkipped = paused !== undefined
  return {
    pass(chunk) {
      if (chunk.type === 'start') isSkipped = chunk.messageId === draft.id
      state.isStale ||= isSkipped && chunk.type === 'finish'
      return isSkipped ? [] : [chunk]
    },
  }
}
