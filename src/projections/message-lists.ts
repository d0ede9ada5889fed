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
}

interface List {
  readonly ids: string[]
  readonly slots: Map<string, Slot>
  /** The slots whose messages changed since the list was last looked at. */
  readonly dirty: Set<Slot>
  made: readonly StoredMessage[]
}

/** Messages in the making, per thread, and what changed in them since someone looked. */
export interface MessageLists {
  find(thread: Thread, id: string): Slot | undefined
  /** The id of the last message that began in a thread. */
  newest(thread: Thread): string | null
  add(id: string, origin: MessageOrigin, draft: StoredDraft): Slot
  touch(slot: Slot, seq: number): void
  touchInteraction(interaction: InteractionId): void
  /** Whether the view would be another than the last one. */
  changed(): boolean
  view(): ReadonlyMap<Thread, readonly StoredMessage[]>
}

/** Begins with no message. The ledgers tell which messages still count. */
export function createMessageLists(ledgers: ReadonlyMap<InteractionId, ValidityLedger>): MessageLists {
  const lists = new Map<Thread, List>()
  const byInteraction = new Map<InteractionId, Slot[]>()
  const dirty = new Set<List>()
  const soil = (slot: Slot) => {
    const list = listOf(lists, slot.origin.thread)
    list.dirty.add(slot)
    dirty.add(list)
  }
  return {
    find: (thread, id) => lists.get(thread)?.slots.get(id),
    newest: thread => lists.get(thread)?.ids.at(-1) ?? null,
    add(id, origin, draft) {
      const { ids, slots } = listOf(lists, origin.thread)
      const slot: Slot = { position: ids.push(id) - 1, origin, draft, lastSeq: origin.firstSeq }
      slots.set(id, slot)
      remember(byInteraction, slot)
      soil(slot)
      return slot
    },
    touch(slot, seq) {
      slot.lastSeq = seq
      soil(slot)
    },
    touchInteraction: interaction => byInteraction.get(interaction)?.forEach(soil),
    changed: () => dirty.size > 0,
    view() {
      for (const list of dirty) remake(list, ledgers)
      dirty.clear()
      return new Map(Array.from(lists, ([thread, { made }]) => [thread, made]))
    },
  }
}

function listOf(lists: Map<Thread, List>, thread: Thread): List {
  const known = lists.get(thread)
  if (known !== undefined) return known
  const list: List = { ids: [], slots: new Map(), dirty: new Set(), made: [] }
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

function remake(list: List, ledgers: ReadonlyMap<InteractionId, ValidityLedger>): void {
  const messages = list.made.slice()
  for (const { position, origin, draft, lastSeq } of list.dirty) {
    const ledger = origin.interaction === null ? undefined : ledgers.get(origin.interaction)
    messages[position] = storeMessage(draft.finish(), origin, lastSeq, ledger ?? null)
  }
  list.dirty.clear()
  list.made = messages
}
