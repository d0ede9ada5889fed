import type { MessageMetadata, Thread } from '../protocol/chunk.ts'
import type { Validity } from '../protocol/event.ts'
import type { InteractionId, SessionId } from '../protocol/ids.ts'
import type { ApprovalChange } from './approval-change.ts'
import type { InteractionChange } from './interaction-change.ts'
import type { ManipulationChange } from './manipulation-change.ts'
import type { SessionState } from './session-state.ts'
import type { UsageChange } from './usage-change.ts'
import type { WorkChange } from './work-change.ts'

/** Where a message lies in the journal, and what a list says of it. Its words are folded from there when asked for. */
export interface MessageRow extends MessageBeginning {
  /** Null while the message is being written. */
  readonly lastSeq: number | null
  /** Whether its interaction as a whole still counts. */
  readonly validity: Validity
  /** Whether something else than a person's prompt gave rise to it. */
  readonly synthetic: boolean
  /** The interaction that took its place in the conversation. */
  readonly replacedBy: InteractionId | null
}

/** What is known of a message when it begins. */
export interface MessageBeginning {
  readonly session: SessionId
  readonly id: string
  /** The tool call under which it is said; null in the main conversation. */
  readonly thread: Thread
  readonly role: 'user' | 'assistant' | 'system'
  /** The message before it in its thread; of a subagent's first, the one that holds the call that started it. */
  readonly parent: string | null
  readonly agent: string
  readonly metadata: MessageMetadata
  readonly interaction: InteractionId
  readonly firstSeq: number
}

/** What an entry changes in the tables. Doing a change again changes nothing more. */
export type Change =
  | WorkChange
  | InteractionChange
  | ManipulationChange
  | UsageChange
  /**
   * `synthetic` is null where an earlier message of the interaction knows; `parent` counts where the thread has no
   * message yet, or where it was chosen.
   */
  | {
      readonly type: 'message-began'
      readonly message: MessageBeginning
      readonly synthetic: boolean | null
      readonly chosen?: boolean
    }
  /** What came after a message of the main conversation is replaced; after null, all of it. */
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
    }
  | {
      readonly type: 'message-ended'
      readonly session: SessionId
      readonly id: string
      readonly thread: Thread
      readonly lastSeq: number
    }
  | {
      readonly type: 'validity-set'
      readonly session: SessionId
      readonly interaction: InteractionId
      readonly validity: Validity
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
    }
  | { readonly type: 'session-changed'; readonly state: SessionState }
