import { applyChunk, finishDraft } from '../../projections/fold-message.ts'
import { answerCall } from '../../projections/fold-tools.ts'
import type { Fold } from '../../projections/fold.ts'
import { findPart } from '../../projections/message-draft.ts'
import { reviveDraft, type Revived } from '../../projections/revive-draft.ts'
import { sameJson } from '../../projections/same-json.ts'
import type { SnapshotSeed } from '../../projections/snapshot-seed.ts'
import type { StoredMessage } from '../../projections/stored-message.ts'
import { userMessage } from '../../projections/user-message.ts'
import type { Thread, ThreadChunk } from '../../protocol/chunk.ts'
import type { Entry } from '../../protocol/entry.ts'
import { chunksOf, type EventOf } from '../../protocol/event.ts'
import type { Message, ToolApproval, ToolPart } from '../../protocol/message.ts'
import { openThreads } from '../../protocol/open-parts.ts'
import { sameList } from './identity.ts'

/** A message as a client has it. */
export type ShownMessage = Pick<StoredMessage, 'message' | 'interaction' | 'thread' | 'firstSeq' | 'validity'>

/** The messages of each thread in the order in which they began; the main conversation is under `null`. */
export type Conversation = ReadonlyMap<Thread, readonly ShownMessage[]>

/**
 * Folds entries into the messages after a snapshot. It handles only the usual cases. After others, such as a
 * message that is reopened or repeated, it is stale and needs a new snapshot.
 */
export interface ConversationFold extends Fold<Conversation> {
  isStale(): boolean
}

/** The place of a message; it gets a draft when something is added to it. */
interface Slot {
  shown: ShownMessage
  /** The ids of the parts that it began with. */
  readonly partIds: StoredMessage['partIds']
  revived: Revived | null
  /** What the draft gave last. */
  drafted: Message | null
  /** Whether another message has taken its place in the conversation. */
  isReplaced: boolean
}

interface ThreadState {
  readonly slots: Map<string, Slot>
  /** The message that is streaming; also null while it is one that we do not follow. */
  open: Slot | null
  made: readonly ShownMessage[]
}

interface Asked {
  readonly approval: ToolApproval
}

interface Known {
  readonly threads: Map<Thread, ThreadState>
  /** The interactions whose messages are new. */
  readonly since: Set<string>
  isStale: boolean
}

/** Goes on from a snapshot. What is in it as it was before is the same object as before. */
export function createConversation(seed: SnapshotSeed, before?: Conversation): ConversationFold {
  const known: Known = { threads: new Map(), since: new Set(), isStale: false }
  const { session, messages, continuation } = seed
  if (session.running !== null) known.since.add(session.running.interaction)
  for (const thread of openThreads(continuation.open)) threadOf(known, thread)
  for (const { message, partIds, interaction, thread, firstSeq, validity } of messages) {
    const shown = { message, interaction, thread, firstSeq, validity }
    add(known, before?.get(thread)?.find(each => sameJson(each, shown)) ?? shown, partIds)
  }
  for (const { thread, messageId, live } of continuation.open.messages) {
    const isToldAgain = continuation.retellings.some(
      each => each.thread === thread && each.message === messageId,
    )
    const state = threadOf(known, thread)
    if (live && !isToldAgain) state.open = state.slots.get(messageId) ?? null
  }
  return {
    apply: entry => take(known, entry),
    view: () => viewsOf(known),
    isStale: () => known.isStale,
  }
}

/** Any call that was not over when the snapshot was made might have a thread; only its messages show whether it has one. */
function viewsOf({ threads }: Known): Conversation {
  const views = new Map<Thread, readonly ShownMessage[]>()
  for (const [thread, state] of threads)
    if (thread === null || state.slots.size > 0) views.set(thread, viewOf(state))
  return views
}

function threadOf({ threads }: Known, thread: Thread): ThreadState {
  const state = threads.get(thread) ?? { slots: new Map(), open: null, made: [] }
  threads.set(thread, state)
  return state
}

function add(known: Known, shown: ShownMessage, partIds: Slot['partIds'] = []): Slot {
  const state = threadOf(known, shown.thread)
  const slot: Slot = { shown, partIds, revived: null, drafted: null, isReplaced: false }
  state.slots.set(shown.message.id, slot)
  return slot
}

function take(known: Known, entry: Entry): void {
  const { event } = entry
  if (event.type === 'validity-changed') known.isStale = true
  if (event.type === 'interaction-started') begin(known, entry, event)
  if (event.type === 'approval-answered') answer(known, event)
  for (const said of chunksOf(event)) hear(known, entry, said)
}

/** A prompt in an earlier place replaces what came after that; one that is not loaded comes before all others. */
function begin(known: Known, { seq }: Entry, event: EventOf<'interaction-started'>): void {
  const { interaction, parent } = event
  const main = threadOf(known, null)
  known.since.add(interaction)
  let isAfter = parent !== undefined && !main.slots.has(parent ?? '')
  for (const [id, slot] of main.slots) {
    slot.isReplaced ||= isAfter
    isAfter ||= id === parent
  }
  const message = userMessage(event)
  if (message !== null && !main.slots.has(message.id))
    add(known, { message, interaction, thread: null, firstSeq: seq, validity: 'active' })
}

/** The first answer counts. */
function answer(known: Known, { approval: id, approved, reason, input }: EventOf<'approval-answered'>): void {
  for (const state of known.threads.values())
    for (const slot of state.slots.values()) {
      const { parts } = slot.revived?.draft ?? slot.shown.message
      const asked = (parts as readonly Partial<ToolPart & Asked>[]).find(
        ({ approval }) => approval?.id === id,
      )
      if (asked?.toolCallId === undefined || asked.approval?.approved !== undefined) continue
      answerCall(
        revive(slot).draft,
        asked.toolCallId,
        { id, approved, ...(reason !== null && { reason }) },
        input,
      )
    }
}

function hear(known: Known, entry: Entry, { thread, chunk }: ThreadChunk): void {
  if (chunk.type === 'start') openMessage(known, entry, thread, chunk.messageId)
  const state = known.threads.get(thread)
  const slot = state?.open
  // One that is not followed is known to its end by then, so that it can be read anew.
  if (!slot) return void (known.isStale ||= chunk.type === 'finish' && state !== undefined)
  const { draft, retracted } = revive(slot)
  applyChunk(draft, chunk)
  if (chunk.type === 'data-retracted')
    for (const id of chunk.data.ids) retracted.add(findPart(draft, id) ?? -1)
}

/** A message that we have may be opened again, or one that we do not have: neither is followed. */
function openMessage(known: Known, { seq, event }: Entry, thread: Thread, id: string): void {
  const interaction = 'interaction' in event ? event.interaction : null
  const isNew = known.since.has(interaction ?? '') || (thread !== null && known.threads.has(thread))
  if (!isNew && !known.threads.has(thread)) return
  const state = threadOf(known, thread)
  const message = { id, role: 'assistant', parts: [] } as const
  state.open =
    isNew && !state.slots.has(id)
      ? add(known, { message, interaction, thread, firstSeq: seq, validity: 'active' })
      : null
}

function revive(slot: Slot): Revived {
  slot.revived ??= reviveDraft({ message: slot.shown.message, partIds: slot.partIds })
  return slot.revived
}

function viewOf(state: ThreadState): readonly ShownMessage[] {
  const slots = [...state.slots.values()].filter(({ isReplaced }) => !isReplaced)
  state.made = sameList(state.made, slots.map(show))
  return state.made
}

function show(slot: Slot): ShownMessage {
  const { revived, shown } = slot
  const drafted = revived && finishDraft(revived.draft)
  // A draft that was not changed gives the same message again.
  if (drafted === null || drafted === slot.drafted) return shown
  slot.drafted = drafted
  const parts = drafted.parts.filter((_, index) => !revived?.retracted.has(index))
  slot.shown = { ...shown, message: { ...drafted, parts } }
  return slot.shown
}
