import type { Thread } from '../protocol/chunk.ts'
import type { Validity } from '../protocol/event.ts'
import type { InteractionId } from '../protocol/ids.ts'
import type { KeptMessage } from './message-draft.ts'

/** A message and its place in the session. */
export interface PlacedMessage extends KeptMessage {
  /** Null when an agent sent it outside of every interaction. */
  readonly interaction: InteractionId | null
  /** The tool call of the subagent that sent it; null in the main conversation. */
  readonly thread: Thread
  readonly firstSeq: number
  readonly lastSeq: number
  /** Derived: active as long as one of its parts is. */
  readonly validity: Validity
  /** The interaction that replaced it in the conversation; null as long as it is part of the conversation. */
  readonly replacedBy: InteractionId | null
}

/** A message as it is stored. */
export interface StoredMessage extends PlacedMessage, MessageOrigin {}

/** Where a message comes from; this never changes. */
export interface MessageOrigin {
  /** The message before it in its thread; for a subagent's first message, the message with the call that started it. */
  readonly parent: string | null
  readonly agent: string
  /** Whether something else than a person's prompt caused it. */
  readonly synthetic: boolean
}
