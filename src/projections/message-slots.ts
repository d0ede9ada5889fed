import type { Thread } from '../protocol/chunk.ts'
import type { InteractionId } from '../protocol/ids.ts'
import type { StoredDraft } from './fold-message.ts'
import type { PlacedMessage } from './stored-message.ts'

/** The place of one message in its thread. */
export interface Slot<Stored extends PlacedMessage> {
  /** The message as it was last shown. */
  stored: Stored
  /** Null while the message is as the snapshot, or the person, gave it. */
  draft: StoredDraft | null
  /** Whether it changed since it was last shown. */
  isChanged: boolean
  lastSeq: number
}

interface ThreadSlots<Stored extends PlacedMessage> {
  readonly byId: Map<string, Slot<Stored>>
  /** The slots that are not replaced, in order. */
  readonly path: Slot<Stored>[]
  /** Null after a change. */
  shown: readonly Stored[] | null
}

/** The messages of every thread, and which of them changed since they were last shown. */
export interface Slots<Stored extends PlacedMessage> {
  readonly threads: Map<Thread, ThreadSlots<Stored>>
  /** Null after a change. */
  shown: ReadonlyMap<Thread, readonly Stored[]> | null
}

/** The slots of a thread; a new thread has none. */
export function slotsOf<Stored extends PlacedMessage>(
  { threads }: Slots<Stored>,
  thread: Thread,
): ThreadSlots<Stored> {
  const known = threads.get(thread) ?? { byId: new Map(), path: [], shown: null }
  threads.set(thread, known)
  return known
}

/** Adds a message at the end of its thread. */
export function addSlot<Stored extends PlacedMessage>(
  slots: Slots<Stored>,
  stored: Stored,
  draft: StoredDraft | null,
  isChanged = false,
): Slot<Stored> {
  const { message, thread, lastSeq } = stored
  const slot = { stored, draft, isChanged, lastSeq }
  const list = slotsOf(slots, thread)
  list.byId.set(message.id, slot)
  list.path.push(slot)
  list.shown = slots.shown = null
  return slot
}

/** Has a message shown again, after an entry that changed it. */
export function touchSlot<Stored extends PlacedMessage>(
  slots: Slots<Stored>,
  slot: Slot<Stored>,
  seq = slot.lastSeq,
): void {
  slot.isChanged = true
  slot.lastSeq = seq
  slotsOf(slots, slot.stored.thread).shown = slots.shown = null
}

/** Takes the messages after a message out of the main conversation; a parent that is not loaded is before all of them. */
export function replaceAfter<Stored extends PlacedMessage>(
  slots: Slots<Stored>,
  parent: string | null,
  by: InteractionId,
): void {
  const { path } = slotsOf(slots, null)
  const first = path.findLastIndex(({ stored }) => stored.message.id === parent) + 1
  for (const slot of path.splice(first)) {
    slot.stored = { ...slot.stored, replacedBy: by }
    touchSlot(slots, slot)
  }
}

/** Shows all messages; what did not change is the same object as before. */
export function showSlots<Stored extends PlacedMessage>(
  slots: Slots<Stored>,
  replaced: boolean | undefined,
  show: (slot: Slot<Stored>) => Stored,
): ReadonlyMap<Thread, readonly Stored[]> {
  if (slots.shown) return slots.shown
  const views = new Map<Thread, readonly Stored[]>()
  for (const [thread, list] of slots.threads) {
    list.shown ??= (replaced ? [...list.byId.values()] : list.path).map(show)
    if (list.byId.size > 0) views.set(thread, list.shown)
  }
  slots.shown = views
  return views
}
