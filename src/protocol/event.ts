import type { ThreadChunk } from './chunk.ts'
import type { SessionTotals } from './data-parts.ts'
import type {
  ApprovalId,
  ConnectionId,
  InteractionId,
  ManipulationId,
  PromptId,
  RuleId,
  SessionId,
} from './ids.ts'
import type { Json } from './json.ts'
import type { Actor, DecisionChange, Effectiveness, Mark, Proposal, Refusal } from './manipulation.ts'
import type { PromptPart } from './message.ts'

/** Whether a part of the history is still in force. */
export type Validity = 'active' | 'invalidated' | 'superseded' | 'archived'
/** Who started an interaction. */
export type Trigger = 'user' | 'agent' | 'schedule' | 'synthetic'
/** How an interaction ended. */
export type Outcome = 'finished' | 'failed' | 'interrupted'
/** Who answered a question: a person, a rule that a person made, or the clock. */
export type Answerer = 'person' | 'rule' | 'timeout' | 'server'

/**
 * How an agent gets an earlier conversation: it resumes its own session, it continues a copy of one, or it receives a
 * transcript. For an agent without memory, each request is compiled from the journal.
 */
export type HandoverWay = 'resumed' | 'forked' | 'transcript' | 'compiled'

/** The size of the transcript that an agent received, and how many messages were left out because they did not fit. */
export interface TranscriptFacts {
  readonly messages: number
  readonly characters: number
  readonly omitted: number
}

/** A native message, unchanged: its text, and more if text alone cannot represent it. */
export interface Raw {
  /**
   * The line as text. Bytes that are not UTF-8 are replaced by U+FFFD. For a line in a file, this is JSON in which long texts
   * are cut and marked, or the start of the line if it is not JSON. Older journals have the start of any such line.
   */
  readonly raw: string
  /** The exact bytes in base64, only if they cannot be restored from `raw`. */
  readonly rawBytes?: string
  /** The file in the data folder that has the whole line, if the line is too long for memory. */
  readonly rawFile?: { readonly name: string; readonly bytes: number; readonly sha256: string }
}

interface Spoke extends Raw {
  readonly interaction: InteractionId | null
  readonly connection: ConnectionId
  readonly chunks: readonly ThreadChunk[]
}

/** What a validity change is about: a whole interaction, or parts of a message. */
export interface ValidityTarget {
  readonly interaction: InteractionId
  readonly parts?: readonly string[]
}

/** Something that happened in a session. Written once, never changed. */
export type Event =
  | {
      readonly type: 'session-created'
      readonly agent: string
      readonly cwd: string
      readonly title: string | null
      readonly options: Json
    }
  | { readonly type: 'session-renamed'; readonly title: string }
  | { readonly type: 'session-archived' }
  | { readonly type: 'session-restored' }
  | { readonly type: 'session-pinned' }
  | { readonly type: 'session-unpinned' }
  | { readonly type: 'session-deleted' }
  | { readonly type: 'session-undeleted' }
  | {
      /** All entries before it were copied from another session: its conversation up to a message. */
      readonly type: 'session-branched'
      readonly from: SessionId
      readonly message: string
      /** The last entry of the other session that was copied. */
      readonly seq: number
      /** Closes what was still open there: parts, steps, messages. */
      readonly chunks: readonly ThreadChunk[]
    }
  | {
      /** The entries from the start of these interactions up to this event were copied from another session. */
      readonly type: 'interactions-merged'
      readonly from: SessionId
      readonly interactions: readonly InteractionId[]
      /** The last entry of the other session that was read. */
      readonly seq: number
      /** Closes what was still open there: parts, steps, messages. */
      readonly chunks: readonly ThreadChunk[]
    }
  | {
      readonly type: 'agent-assigned'
      readonly agent: string
      /** What the agent is started with in this session; absent if not set. */
      readonly options?: Json
      /** Set if its rules for approvals mean the same with these options as with those before. */
      readonly keepsRules?: true
    }
  | { readonly type: 'prompt-queued'; readonly prompt: PromptId; readonly parts: readonly PromptPart[] }
  | { readonly type: 'prompt-withdrawn'; readonly prompt: PromptId }
  | {
      readonly type: 'interaction-started'
      readonly interaction: InteractionId
      readonly trigger: Trigger
      readonly agent: string
      readonly prompt: PromptId | null
      readonly parts: readonly PromptPart[]
      /** Set if `parts` are not from the user but are system instructions, from a message array of an older program. */
      readonly role?: 'system'
      /** The original time, if this is a copy of something that happened earlier. */
      readonly happened?: number
      /** The message after which this continues: later messages are replaced. Null means the start of the conversation. */
      readonly parent?: string | null
    }
  | {
      readonly type: 'interaction-ended'
      readonly interaction: InteractionId
      readonly outcome: Outcome
      /** Why it ended, as a sentence for people; null if it finished normally. */
      readonly reason: string | null
      /** The original time, if this is a copy. */
      readonly happened?: number
      /** Closes what the agent left open: parts, steps, messages. */
      readonly chunks: readonly ThreadChunk[]
    }
  | {
      /** All slots for agents are in use, and the agent of this interaction waits for one. */
      readonly type: 'place-awaited'
      readonly interaction: InteractionId
      readonly places: number
    }
  | { readonly type: 'interrupt-requested'; readonly interaction: InteractionId }
  | {
      readonly type: 'agent-connected'
      readonly agent: string
      readonly connection: ConnectionId
      readonly process: number | null
      /** The transcript file that an import reads. There is no process then. */
      readonly readFrom?: string
      /** The id of the agent's own session that is resumed. */
      readonly resumed: string | null
      /** The id of the agent's own session that is copied. */
      readonly forked?: string
      /** The totals that the agent last reported for the session that it continues. It continues to count from there. */
      readonly totals?: SessionTotals
    }
  | {
      /** How a newly started agent got the conversation before this interaction. */
      readonly type: 'conversation-handed-over'
      readonly interaction: InteractionId
      readonly agent: string
      readonly connection: ConnectionId
      readonly how: HandoverWay
      /** The id of the agent's own session that was resumed or copied. */
      readonly agentSession: string | null
      /** The transcript that it received; null if its own session has the conversation. */
      readonly transcript: TranscriptFacts | null
      /** The id of the agent's own session that should have been continued, if the agent no longer had it. */
      readonly lost?: string
    }
  | ({ readonly type: 'agent-spoke' } & Spoke)
  | ({ readonly type: 'host-spoke' } & Spoke)
  | { readonly type: 'agent-logged'; readonly connection: ConnectionId; readonly text: string }
  | {
      readonly type: 'agent-exited'
      readonly connection: ConnectionId
      readonly code: number | null
      readonly signal: string | null
      readonly reason: string | null
      /** Closes what the agent left open outside an interaction: background work, late results. */
      readonly chunks: readonly ThreadChunk[]
    }
  | {
      readonly type: 'approval-answered'
      readonly approval: ApprovalId
      readonly approved: boolean
      readonly reason: string | null
      /** The input to run with instead of the one that was asked about. */
      readonly input?: Json
      readonly always: boolean
      /** A person by default. */
      readonly by?: Answerer
      /** The rule that answered. */
      readonly rule?: RuleId
    }
  | { readonly type: 'approval-lapsed'; readonly approval: ApprovalId; readonly reason: string }
  | {
      /** From now on, calls of this agent's tool with exactly this input are allowed. */
      readonly type: 'rule-made'
      readonly rule: RuleId
      readonly tool: string
      /** Absent in rules of older versions. Those covered more than one input and no longer apply. */
      readonly agent?: string
      /** The input without its harmless keys; absent whenever `agent` is. */
      readonly input?: Json
      /** The only thing that a rule of an older version compared. */
      readonly command?: string | null
      readonly approval: ApprovalId
    }
  | { readonly type: 'rule-revoked'; readonly rule: RuleId }
  | {
      /** Rules of an older version that covered more than one input no longer apply. */
      readonly type: 'rules-dropped'
      readonly rules: readonly RuleId[]
      readonly reason: string
      /** The notice about it, in the newest answer. */
      readonly chunks: readonly ThreadChunk[]
    }
  | {
      readonly type: 'validity-changed'
      readonly target: ValidityTarget
      readonly to: Validity
      readonly by: string
      readonly reason: string
      readonly replacedBy: InteractionId | null
    }
  | ({
      /** Changes the validity of parts, or how they are sent, from now on. Nothing is deleted for good, and it can be rolled back. */
      readonly type: 'manipulation-applied'
      readonly manipulation: ManipulationId
      /** What its parts were before. */
      readonly before: readonly { readonly part: string; readonly was: Mark }[]
      /** Tokens that are no longer sent because of it, as far as known. */
      readonly tokens: number
      readonly effective: Effectiveness
    } & Proposal)
  | ({
      readonly type: 'manipulation-rejected'
      readonly code: Refusal
      readonly why: string
    } & Proposal)
  | {
      /** Undoes manipulations. If one of them is a rollback, the manipulations that it undid apply again. */
      readonly type: 'manipulation-rolled-back'
      readonly rollback: ManipulationId
      readonly manipulations: readonly ManipulationId[]
      readonly actor: Actor
      readonly reason: string
    }
  | {
      /** Describes a request to a model. The exact request can be rebuilt from it, the entries before it, and earlier events of this type. */
      readonly type: 'context-compiled'
      readonly interaction: InteractionId | null
      readonly policy: string
      readonly step: number
      /** The time of the request. It decides whether the cache counts as expired. */
      readonly at: number
      /** The number of messages of the history that it covers, and the id of the last one. */
      readonly messages: number
      readonly lastMessage: string | null
      /** The decisions that changed since the previous request. */
      readonly changes: readonly DecisionChange[]
      readonly tokens: { readonly before: number; readonly after: number }
      readonly keptMessages: number
      readonly isPrefixKept: boolean
      readonly isCold: boolean
    }
  | { readonly type: 'saving-delayed'; readonly code: string; readonly milliseconds: number }

/** The events of one type. */
export type EventOf<Type extends Event['type']> = Extract<Event, { readonly type: Type }>

/** The chunks that an event carries, in order; most events carry none. */
export function chunksOf(event: Event): readonly ThreadChunk[] {
  return 'chunks' in event ? event.chunks : none
}

const none: readonly ThreadChunk[] = []

/** Whether chunks only continue text or reasoning that has begun. Most chunks of a stream do, and they change only their message. */
export function areOnlyText(chunks: readonly ThreadChunk[]): boolean {
  for (const { chunk } of chunks)
    if (chunk.type !== 'text-delta' && chunk.type !== 'reasoning-delta') return false
  return chunks.length > 0
}

/** Whether an event only continues the text of a message, so that all other views of a session can skip it. */
export const continuesText = (event: Event): boolean =>
  event.type === 'agent-spoke' && areOnlyText(event.chunks)
