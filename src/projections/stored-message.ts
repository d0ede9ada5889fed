import type { Thread } from '../protocol/chunk.ts'
import type { Validity } from '../protocol/event.ts'
import type { InteractionId } from '../protocol/ids.ts'
import type { Message } from '../protocol/message.ts'
import type { KeptMessage } from './message-draft.ts'
import { decisiveOfAll, type ValidityLedger } from './validity.ts'

/** A message and what is known about it. */
export interface StoredMessage extends KeptMessage, MessageOrigin {
  readonly lastSeq: number
  /** Derived: active as long as one of its parts is. */
  readonly validity: Validity
  /** The interaction that took its place in the conversation; null as long as it is part of that. */
  readonly replacedBy: InteractionId | null
}

/** Where a message comes from; this never changes. */
export interface MessageOrigin {
  /** Null when an agent spoke outside of every interaction. */
  readonly interaction: InteractionId | null
  /** The tool call under which it was said; null in the main conversation. */
  readonly thread: Thread
  /** The message before it in its thread; of a subagent's first, the one that holds the call that started it. */
  readonly parent: string | null
  readonly agent: string
  /** Whether something else than a person's prompt gave rise to it. */
  readonly synthetic: boolean
  readonly firstSeq: number
}

/** Puts a message together with what is known about it. */
export function storeMessage(
  kept: KeptMessage,
  origin: MessageOrigin,
  { lastSeq, replacedBy }: Pick<StoredMessage, 'lastSeq' | 'replacedBy'>,
  ledger: ValidityLedger | null,
): StoredMessage {
  const change = ledger === null ? null : decisiveOfAll(ledger, contentIds(kept))
  return { ...kept, ...origin, lastSeq, validity: change?.to ?? 'active', replacedBy }
}

/** Steps and data are no content: they do not keep a message alive. */
function* contentIds({ message, partIds }: KeptMessage): Iterable<string | null> {
  for (const [index, part] of message.parts.entries()) if (!isAside(part)) yield partIds[index] ?? null
}

const isAside = ({ type }: Message['parts'][number]) => type === 'step-start' || type.startsWith('data-')
