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

/** Whether a piece of history still counts. */
export type Validity = 'active' | 'invalidated' | 'superseded' | 'archived'
/** Who set an interaction going. */
export type Trigger = 'user' | 'agent' | 'schedule' | 'synthetic'
/** How an interaction ended. */
export type Outcome = 'finished' | 'failed' | 'interrupted'
/** Who answered a question: a person, a rule that a person made, or the clock. */
export type Answerer = 'person' | 'rule' | 'timeout' | 'server'

/**
 * How an agent gets to know a conversation: its own session goes on, or a copy of one does, or it is told, or it has no
 * memory and each of its requests is compiled from the journal.
 */
export type HandoverWay = 'resumed' | 'forked' | 'transcript' | 'compiled'

/** How much of a conversation was told to an agent: messages and characters, and messages left out for want of room. */
export interface TranscriptFacts {
  readonly messages: number
  readonly characters: number
  readonly omitted: number
}

/** A native message as it was: its text, and what is needed when text alone cannot hold it. */
export interface Raw {
  /**
   * The line as text. Bytes that are not UTF-8 show as U+FFFD. Of a line kept in a file this is JSON in which long texts are
   * cut and marked, or the beginning where the line is not JSON. Older journals have the beginning of any such line.
   */
  readonly raw: string
  /** The exact bytes in base64, only where `raw` cannot give them back. */
  readonly rawBytes?: string
  /** Where a line too long for memory is kept whole: a file in the data folder. */
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
  | { readonly type: 'session-deleted' }
  | { readonly type: 'session-undeleted' }
  | {
      /** All before it was copied from another session: the conversation there up to a message. */
      readonly type: 'session-branched'
      readonly from: SessionId
      readonly message: string
      /** The last entry of the other session that counts for this one. */
      readonly seq: number
      /** What was still open there, closed for this session. */
      readonly chunks: readonly ThreadChunk[]
    }
  | {
      /** What came before it since these interactions began was copied from another session, and ended there. */
      readonly type: 'interactions-merged'
      readonly from: SessionId
      readonly interactions: readonly InteractionId[]
      /** The last entry of the other session that was looked at. */
      readonly seq: number
      /** What was still open there, closed for this session. */
      readonly chunks: readonly ThreadChunk[]
    }
  | {
      readonly type: 'agent-assigned'
      readonly agent: string
      /** What the agent is started with in this session; absent if not set. */
      readonly options?: Json
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
      /** Whose words `parts` are, when not the user's: instructions that an older program's array had. */
      readonly role?: 'system'
      /** When it was, if this is a copy of what was done elsewhere and before. */
      readonly happened?: number
      /** The message after which this goes on: those that came after it are replaced. Null is the very beginning. */
      readonly parent?: string | null
    }
  | {
      readonly type: 'interaction-ended'
      readonly interaction: InteractionId
      readonly outcome: Outcome
      /** Why, in words for people, unless it simply finished. */
      readonly reason: string | null
      /** When it was, if this is a copy. */
      readonly happened?: number
      /** What was still open and had to be closed for the agent: parts, steps, messages. */
      readonly chunks: readonly ThreadChunk[]
    }
  | {
      /** All places for agents are taken, and the agent of this interaction waits until one is free. */
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
      /** The file that its words are read from, where they were said before and elsewhere. */
      readonly readFrom?: string
      /** The agent's own session that was picked up again. */
      readonly resumed: string | null
      /** The agent's own session of which a copy was asked for. */
      readonly forked?: string
      /** The totals that the agent last reported for the session that it continues: it counts on from there. */
      readonly totals?: SessionTotals
    }
  | {
      /** How an agent that was started got to know the conversation before the interaction that it was started for. */
      readonly type: 'conversation-handed-over'
      readonly interaction: InteractionId
      readonly agent: string
      readonly connection: ConnectionId
      readonly how: HandoverWay
      /** The agent's own session that was picked up or copied. */
      readonly agentSession: string | null
      /** The transcript that it received; null if its own session has the conversation. */
      readonly transcript: TranscriptFacts | null
      /** The agent's own session that should have been continued, when the agent no longer had it. */
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
      /** What it left open with nothing running, closed for it: background work, late results. */
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
      /** Absent in rules of older versions, which covered more than one input: those no longer hold. */
      readonly agent?: string
      /** The input without its harmless keys; absent as `agent` is. */
      readonly input?: Json
      /** All that a rule of an older version compared. */
      readonly command?: string | null
      readonly approval: ApprovalId
    }
  | { readonly type: 'rule-revoked'; readonly rule: RuleId }
  | {
      /** Rules of an older version that covered more than one input hold no longer. */
      readonly type: 'rules-dropped'
      readonly rules: readonly RuleId[]
      readonly reason: string
      /** The notice of it, in the newest answer. */
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
      /** Something counts otherwise, or is sent otherwise, from now on. Nothing is destroyed, and it can be rolled back. */
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
      /** Manipulations that no longer hold; rollbacks among them: what those took back holds again. */
      readonly type: 'manipulation-rolled-back'
      readonly rollback: ManipulationId
      readonly manipulations: readonly ManipulationId[]
      readonly actor: Actor
      readonly reason: string
    }
  | {
      /** What a model was sent: with the entries before it, and the events like it, the very words can be made again. */
      readonly type: 'context-compiled'
      readonly interaction: InteractionId | null
      readonly policy: string
      readonly step: number
      /** The time that the request was made for, by which the cache was judged. */
      readonly at: number
      /** Messages of the history that it covers, and the last of them. */
      readonly messages: number
      readonly lastMessage: string | null
      /** What is new since the request before. */
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
