import type { Replied } from '../../protocol/api/api.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { Message, MessagePart } from '../../protocol/message.ts'
import type { PlacedMessage } from '../../projections/stored-message.ts'
import type { Thread } from '../../protocol/chunk.ts'
import type { QueuedPrompt } from '../../projections/queue.ts'
import { status, type SessionStatus } from '../../projections/status.ts'
import type { Subagent } from '../../projections/subagents.ts'
import type { Todos } from '../../projections/todos.ts'
import type { Calls } from './call-times.ts'

/** A message as a client shows it. */
export type ShownMessage = Pick<PlacedMessage, 'message' | 'interaction' | 'thread' | 'firstSeq' | 'validity'>

/** The messages of each thread in the order in which they began; the main conversation is under `null`. */
export type Conversation = ReadonlyMap<Thread, readonly ShownMessage[]>

/** A part that is streaming: text, reasoning, or the input of a tool. */
export interface StreamingBlock {
  readonly thread: Thread
  readonly message: string
  /** Its place in the message. */
  readonly index: number
  readonly part: MessagePart
}

/** What a header shows of a session. What streams by is not in it, so it seldom changes. */
export type SessionFacts = Omit<
  Replied<'getSession'>,
  'status' | 'running' | 'ended' | 'pending' | 'queue' | 'updatedAt' | 'seq'
>

/** The facts of a session from its entries. */
export interface ClientView {
  readonly messages: Conversation
  /** The current plan of each thread. */
  readonly todos: Todos
  readonly status: SessionStatus
  /** The subagents at work. */
  readonly subagents: readonly Subagent[]
  readonly queue: readonly QueuedPrompt[]
  readonly calls: Calls
}

/** A question of an agent and its one answer. */
export type ListedApproval = Replied<'listApprovals'>['approvals'][number]
/** The rules that always allow calls, until they are revoked. */
export type ListedRule = Replied<'listApprovals'>['rules'][number]

/** Everything a client knows of a session at one moment. It is replaced as a whole, so its parts always fit each other. */
export interface SessionState {
  /** `catching-up`: what is shown may be old. `failed`: it could not be opened; `problem` has the reason. */
  readonly phase: 'closed' | 'loading' | 'catching-up' | 'live' | 'gone' | 'failed'
  readonly problem: string | null
  readonly facts: SessionFacts | null
  /** When something happened in it last, by the server's clock; null before that is known. */
  readonly activeAt: number | null
  /** The approvals of the running interaction, and all pending ones. */
  readonly approvals: readonly ListedApproval[]
  readonly rules: readonly ListedRule[]
  readonly view: ClientView
  /** Messages from before the snapshot, loaded on demand. */
  readonly older: readonly Message[]
  /** Where the page before them begins; null when there is none. */
  readonly next: number | null
  /** Queued prompts that wait until a person continues the queue. */
  readonly held: readonly string[]
  /** The last entries that are not plain messages. */
  readonly events: readonly Entry[]
  /** The last entry that is counted in. */
  readonly seq: number
  /** Milliseconds from the writing of the last live entry to its arrival, by the two clocks. */
  readonly lag: number | null
}

/** Nothing known yet. */
export const closed: SessionState = {
  phase: 'closed',
  problem: null,
  facts: null,
  activeAt: null,
  approvals: [],
  rules: [],
  view: {
    messages: new Map(),
    todos: new Map(),
    status: status.initial,
    subagents: [],
    queue: [],
    calls: new Map(),
  },
  older: [],
  next: null,
  held: [],
  events: [],
  seq: 0,
  lag: null,
}
