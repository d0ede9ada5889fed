import type { Chunk, Thread } from '../protocol/chunk.ts'
import type { Entry } from '../protocol/entry.ts'
import type { EventOf, Validity } from '../protocol/event.ts'
import type { InteractionId } from '../protocol/ids.ts'
import type { Fold } from './fold.ts'
import type { KeptMessage } from './message-draft.ts'
import { touchSlot } from './message-slots.ts'
import { createMessageOrigins } from './message-origins.ts'
import { applyToMessages, createMessagesState, showMessages, type MessagesState } from './messages-fold.ts'
import { createRepeatFilter } from './repeat-filter.ts'
import type { MessagesUnderway, SnapshotSeed } from './snapshot-seed.ts'
import type { StoredMessage } from './stored-message.ts'
import { createLedger, decisiveOfAll, noteChange, recordChange, type ValidityLedger } from './validity.ts'

/**
 * The messages of each thread in the order in which they began; the main conversation is under `null`, without those
 * that were replaced.
 */
export type Messages = ReadonlyMap<Thread, readonly StoredMessage[]>

/** A fold of messages, which another fold can continue. */
export interface MessagesFold extends Fold<Messages> {
  /** What is under way and does not show in the messages. */
  underway(): MessagesUnderway
}

/** Folds entries into the messages that are stored, per thread, from the first entry or from a snapshot on. */
export function createMessages(
  seed?: SnapshotSeed,
  options: { readonly replaced: boolean } = { replaced: false },
): MessagesFold {
  const origins = createMessageOrigins(seed)
  const ledgers = ledgersOf(seed)
  const byInteraction = new Map<InteractionId | null, StoredMessage[]>()
  const add = (stored: StoredMessage) => {
    const known = byInteraction.get(stored.interaction)
    if (known === undefined) byInteraction.set(stored.interaction, [stored])
    else known.push(stored)
    return stored
  }
  seed?.messages.forEach(add)
  const state = createMessagesState<StoredMessage>(
    {
      ...options,
      filterRepeats(draft, paused) {
        const filter = createRepeatFilter(draft, paused)
        const pass = (chunk: Chunk) => {
          origins.chunk(draft.id, chunk)
          return filter.pass(chunk)
        }
        return { ...filter, pass }
      },
      begin: (shown, path, event) =>
        add({ ...shown, ...origins.of(shown, path.at(-1)?.stored.message.id ?? null, event) }),
      finish: stored => ({ ...stored, validity: validityIn(ledgers, stored) }),
    },
    seed,
  )
  const changeValidity = (entry: Entry, event: EventOf<'validity-changed'>) => {
    const { interaction } = event.target
    const ledger = ledgers.get(interaction) ?? createLedger()
    ledgers.set(interaction, ledger)
    recordChange(ledger, entry, event)
    for (const { thread, message } of byInteraction.get(interaction) ?? []) {
      const slot = state.threads.get(thread)?.byId.get(message.id)
      if (slot !== undefined) touchSlot(state, slot)
    }
  }
  return {
    view: () => showMessages(state),
    apply(entry) {
      const { event } = entry
      origins.event(event)
      if (event.type === 'validity-changed') changeValidity(entry, event)
      applyToMessages(state, entry)
    },
    underway: () => ({
      retellings: repeatsIn(state),
      validity: Array.from(ledgers, ([interaction, { history: changes }]) => ({ interaction, changes })),
    }),
  }
}

function ledgersOf(seed: SnapshotSeed | undefined): Map<InteractionId, ValidityLedger> {
  const ledgers = new Map<InteractionId, ValidityLedger>()
  for (const { interaction, changes } of seed?.continuation.validity ?? []) {
    const ledger = createLedger()
    for (const change of changes) noteChange(ledger, change)
    ledgers.set(interaction, ledger)
  }
  return ledgers
}

function validityIn(ledgers: ReadonlyMap<InteractionId, ValidityLedger>, stored: StoredMessage): Validity {
  const ledger = stored.interaction === null ? undefined : ledgers.get(stored.interaction)
  return (ledger && decisiveOfAll(ledger, contentIds(stored))?.to) ?? 'active'
}

/** Steps and data are not content: they do not keep a message valid. */
function* contentIds({ message, partIds }: KeptMessage): Iterable<string | null> {
  for (const [index, { type }] of message.parts.entries())
    if (type !== 'step-start' && !type.startsWith('data-')) yield partIds[index] ?? null
}

function repeatsIn({ cursor, threads }: MessagesState<StoredMessage>): MessagesUnderway['retellings'] {
  return Array.from(cursor.places).flatMap(([thread, { message, isOpen }]) => {
    const paused = threads.get(thread)?.byId.get(message)?.draft?.filter.paused?.()
    return isOpen && paused ? [{ thread, message, ...paused }] : []
  })
}
