import type { Thread } from '../protocol/chunk.ts'
import type { InteractionId } from '../protocol/ids.ts'
import type { StoredDraft } from './stored-draft.ts'
import { storeMessage, type MessageOrigin, type StoredMessage } from './stored-message.ts'
import type { ValidityLedger } from './validity.ts'

/** The place of one message in its thread. */
export interface Slot {
  readonly position: number
  readonly origin: MessageOrigin
  readonly draft: StoredDraft
  lastSeq: number
  replacedBy: InteractionId | null
}

interface List {
  readonly slots: Map<string, Slot>
  /** The messages that are not replaced, in order. */
  readonly path: string[]
  /** The slots whose messages changed since the list was last looked at. */
  readonly dirty: Set<Slot>
  made: readonly StoredMessage[]
  shown: readonly StoredMessage[]
}

/** Messages in the making, per thread, and what changed in them since someone looked. */
export interface MessageLists {
  find(thread: Thread, id: string): Slot | undefined
  has(thread: Thread): boolean
  /** The id of the last message that began in a thread and was not replaced. */
  newest(thread: Thread): string | null
  add(id: string, origin: MessageOrigin, draft: StoredDraft): Slot
  /** Adds a message as it was made elsewhere; it is made anew only when it changes. */
  addMade(stored: StoredMessage, draft: StoredDraft): Slot
  /** Takes what came after a message of the main conversation out of it; one that is not here lies before all others. */
  replaceAfter(parent: string | null, by: InteractionId): void
  touch(slot: Slot, seq: number): void
  touchInteraction(interaction: InteractionId): void
  /** Whether the view would be another than the last one. */
  changed(): boolean
  view(): ReadonlyMap<Thread, readonly StoredMessage[]>
}

/** How lists are shown. */
export interface ListOptions {
  /** Also messages that were replaced. */
  readonly replaced: boolean
}

/** What the lists consist of. */
interface State extends ListOptions {
  readonly lists: Map<Thread, List>
  readonly byInteraction: Map<InteractionId, Slot[]>
  /** The lists of which something changed since they were last looked at. */
  readonly dirty: Set<List>
  readonly ledgers: ReadonlyMap<InteractionId, ValidityLedger>
}

/** Begins with no message. The ledgers tell which messages still count. */
export function createMessageLists(
  ledgers: ReadonlyMap<InteractionId, ValidityLedger>,
  options: ListOptions,
): MessageLists {
  const state: State = { ...options, lists: new Map(), byInteraction: new Map(), dirty: new Set(), ledgers }
  const { lists, byInteraction, dirty } = state
  return {
    find: (thread, id) => lists.get(thread)?.slots.get(id),
    has: thread => lists.has(thread),
    newest: thread => lists.get(thread)?.path.at(-1) ?? null,
    add(id, origin, draft) {
      const slot = put(state, id, origin, draft)
      soil(state, slot)
      return slot
    },
    addMade: (stored, draft) => putMade(state, stored, draft),
    replaceAfter: (parent, by) => replaceAfter(state, parent, by),
    touch(slot, seq) {
      slot.lastSeq = seq
      soil(state, slot)
    },
    touchInteraction: interaction => byInteraction.get(interaction)?.forEach(slot => soil(state, slot)),
    changed: () => dirty.size > 0,
    view() {
      for (const list of dirty) remake(state, list)
      dirty.clear()
      return new Map(Array.from(lists, ([thread, { shown }]) => [thread, shown]))
    },
  }
}

function soil({ lists, dirty }: State, slot: Slot): void {
  const list = listOf(lists, slot.origin.thread)
  list.dirty.add(slot)
  dirty.add(list)
}

function put({ lists, byInteraction }: State, id: string, origin: MessageOrigin, draft: StoredDraft): Slot {
  const { path, slots } = listOf(lists, origin.thread)
  const slot: Slot = { position: slots.size, origin, draft, lastSeq: origin.firstSeq, replacedBy: null }
  slots.set(id, slot)
  path.push(id)
  remember(byInteraction, slot)
  return slot
}

function putMade(state: State, stored: StoredMessage, draft: StoredDraft): Slot {
  const { message, partIds: _, lastSeq, validity: __, replacedBy: ___, ...origin } = stored
  const slot = put(state, message.id, origin, draft)
  slot.lastSeq = lastSeq
  const list = listOf(state.lists, origin.thread)
  list.made = [...list.made, stored]
  list.shown = list.made
  return slot
}

function replaceAfter(state: State, parent: string | null, by: InteractionId): void {
  const { path, slots } = listOf(state.lists, null)
  for (const id of path.splice(path.lastIndexOf(parent ?? '') + 1)) {
    const slot = slots.get(id)
    if (slot === undefined) continue
    slot.replacedBy = by
    soil(state, slot)
  }
}

function listOf(lists: Map<Thread, List>, thread: Thread): List {
  const known = lists.get(thread)
  if (known !== undefined) return known
  const list: List = { slots: new Map(), path: [], dirty: new Set(), made: [], shown: [] }
  lists.set(thread, list)
  return list
}

function remember(byInteraction: Map<InteractionId, Slot[]>, slot: Slot): void {
  const { interaction } = slot.origin
  if (interaction === null) return
  const slots = byInteraction.get(interaction)
  if (slots === undefined) byInteraction.set(interaction, [slot])
  else slots.push(slot)
}

function remake({ ledgers, replaced }: State, list: List): void {
  const messages = list.made.slice()
  for (const { position, origin, draft, lastSeq, replacedBy } of list.dirty) {
    const ledger = origin.interaction === null ? undefined : ledgers.get(origin.interaction)
    messages[position] = storeMessage(draft.finish(), origin, { lastSeq, replacedBy }, ledger ?? null)
  }
  list.dirty.clear()
  list.made = messages
  const showsAll = replaced || list.path.length === messages.length
  list.shown = showsAll ? messages : messages.filter(each => each.replacedBy === null)
}
