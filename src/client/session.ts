import type { Replied, Sent } from '../protocol/api/api.ts'
import type { Entry } from '../protocol/entry.ts'
import type { Todo } from '../protocol/data-parts.ts'
import type { Json } from '../protocol/json.ts'
import type { Message, PromptPart } from '../protocol/message.ts'
import type { QueuedPrompt } from '../projections/queue.ts'
import type { SessionStatus } from '../projections/status.ts'
import type { Subagent } from '../projections/subagents.ts'
import type { ConnectionState } from './follow/reopen.ts'
import type { Outgoing } from './outbox/outgoing.ts'
import type { SentPrompt } from './outbox/outbox.ts'
import type { Readable } from './readable.ts'
import type {
  ListedApproval,
  ListedRule,
  SessionFacts,
  SessionState,
  StreamingBlock,
} from './stores/session-state.ts'

/** A prompt in the server's queue; `held` ones wait until a person continues the queue. */
export interface WaitingPrompt extends QueuedPrompt {
  readonly held: boolean
}

/** What a session has used so far. */
export type SessionUsage = Pick<SessionFacts, 'cost' | 'tokens'>

/** Details of a session's connection, for inspectors. */
export interface SessionDebug {
  readonly session: string
  /** The agent's own name for it. */
  readonly agentSession: string | null
  readonly phase: SessionState['phase']
  readonly problem: string | null
  readonly connection: ConnectionState
  /** The last entry that is shown. */
  readonly seq: number
  /** Milliseconds from the writing of the last live entry to its arrival, by the two clocks. */
  readonly lag: number | null
}

/**
 * A session as a program uses it. Each readable opens the session while it is subscribed to; what did not change is
 * the same object as before.
 */
export interface Session {
  readonly id: string
  /** Everything at once. */
  readonly state: Readable<SessionState>
  readonly facts: Readable<SessionFacts | null>
  /** The conversation: older messages as far as they were loaded, then all from the snapshot on. */
  readonly messages: Readable<readonly Message[]>
  readonly hasOlder: Readable<boolean>
  /** The parts that are streaming now. */
  readonly streaming: Readable<readonly StreamingBlock[]>
  readonly status: Readable<SessionStatus>
  readonly todos: Readable<readonly Todo[]>
  readonly events: Readable<readonly Entry[]>
  /** The subagents at work. */
  readonly subagents: Readable<readonly Subagent[]>
  readonly approvals: Readable<readonly ListedApproval[]>
  readonly pendingApprovals: Readable<readonly ListedApproval[]>
  readonly rules: Readable<readonly ListedRule[]>
  readonly queue: Readable<readonly WaitingPrompt[]>
  /** Prompts that are not in the session yet: unsent, being sent, refused. */
  readonly outbox: Readable<readonly Outgoing[]>
  readonly usage: Readable<SessionUsage | null>
  readonly debug: Readable<SessionDebug>
  /** The messages of a subagent's thread. */
  readonly thread: (thread: string) => Readable<readonly Message[]>

  /** Loads a page of older messages, or the given number of them; false when there are none. */
  readonly loadOlder: (count?: number) => Promise<boolean>
  /** Hands a prompt in; without a network it is sent when there is one. */
  readonly prompt: (
    text: string | readonly PromptPart[],
    options?: { readonly parent?: string | null },
  ) => SentPrompt
  readonly interrupt: () => Promise<Replied<'interrupt'>>
  readonly answer: (
    approval: string,
    answer: Sent<'answerApproval'>['body'],
  ) => Promise<Replied<'answerApproval'>>
  readonly revokeRule: (rule: string) => Promise<Replied<'revokeRule'>>
  /** Takes a prompt back that has not begun, whether it has left this client or not. */
  readonly withdraw: (prompt: string) => Promise<void>
  /** Continues with held prompts. */
  readonly continue: () => Promise<Replied<'continueQueue'>>
  readonly rename: (title: string) => Promise<Replied<'changeSession'>>
  readonly archive: (archived?: boolean) => Promise<Replied<'changeSession'>>
  readonly assign: (agent: string, options?: Json) => Promise<Replied<'changeSession'>>
  readonly delete: () => Promise<Replied<'deleteSession'>>
  readonly undelete: () => Promise<Replied<'changeSession'>>
  /** A new session that continues from a message; parts replace the message. */
  readonly branch: (message: string, parts?: readonly PromptPart[]) => Promise<Replied<'branch'>>
}
