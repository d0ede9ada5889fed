import type { MessageMetadata, Thread } from '../protocol/chunk.ts'
import type { Validity } from '../protocol/event.ts'
import type { InteractionId, SessionId } from '../protocol/ids.ts'
import type { ApprovalChange } from './approval-change.ts'
import type { InteractionChange } from './interaction-change.ts'
import type { ManipulationChange } from './manipulation-change.ts'
import type { SessionState } from './session-state.ts'
import type { UsageChange } from './usage-change.ts'
import type { WorkChange } from './work-change.ts'

/** Where a message is in the journal, and what a list shows of it. Its content is folded from the journal on request. */
export interface MessageRow extends MessageBeginning {
  /** Null while the message is being written. */
  readonly lastSeq: number | null
  /** The validity of its interaction. */
  readonly validity: Validity
  /** Whether its interaction was started by something other than a person's prompt. */
  readonly synthetic: boolean
  /** The interaction that replaced it in the conversation. */
  readonly replacedBy: InteractionId | null
}

/** The facts about a message at its start. */
export interface MessageBeginning {
  readonly session: SessionId
  readonly id: string
  /** The tool call that its subagent runs in; null in the main conversation. */
  readonly thread: Thread
  readonly role: 'user' | 'assistant' | 'system'
  /** The message before it in its thread; for the first message of a subagent, the one with the tool call that started it. */
  readonly parent: string | null
  readonly agent: string
  readonly metadata: MessageMetadata
  readonly interaction: InteractionId
  readonly firstSeq: number
}

/** A change that an entry makes in the catalogue. Saving it again has no further effect. */
export type Change =
  | WorkChange
  | InteractionChange
  | ManipulationChange
  | UsageChange
  /**
   * `synthetic` is null where it is the same as in an earlier message of the interaction. `parent` is used for the
   * first message of a thread, and where it was `chosen`.
   */
  | {
      readonly type: 'message-began'
      readonly message: MessageBeginning
      readonly synthetic: boolean | null
      readonly chosen?: boolean
    }
  /** The messages after `parent` in the main conversation are replaced; all of them if it is null. */
  | {
      readonly type: 'messages-replaced'
      readonly session: SessionId
      readonly parent: string | null
      readonly by: InteractionId
      readonly seq: number
    }
  | {
      readonly type: 'message-described'
      readonly session: SessionId
      readonly id: string
      readonly thread: Thread
      readonly metadata: MessageMetadata
      readonly seq: number
    }
  | {
      readonly type: 'message-ended'
      readonly session: SessionId
      readonly id: string
      readonly thread: Thread
      readonly seq: number
    }
  | {
      readonly type: 'validity-set'
      readonly session: SessionId
      readonly interaction: InteractionId
      readonly validity: Validity
      readonly seq: number
    }
  | ApprovalChange
  | {
      readonly type: 'message-answered'
      readonly session: SessionId
      readonly approval: string
      readonly seq: number
    }
  | {
      readonly type: 'agent-session-met'
      readonly session: SessionId
      readonly agent: string
      readonly agentSession: string
      readonly seq: number
    }
  | { readonly type: 'session-changed'; readonly state: SessionState }

/** The entry that makes a change. */
export function entryOf(change: Change): { readonly session: SessionId; readonly seq: number } {
  if (change.type === 'message-began')
    return { session: change.message.session, seq: change.message.firstSeq }
  return change.type === 'session-changed' ? change.state.summary : change
}
