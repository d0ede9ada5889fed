import type { Thread, ThreadChunk } from '../../../protocol/chunk.ts'
import type { Json } from '../../../protocol/json.ts'
import type { Shown } from '../../kit/known-fields.ts'
import { addChunks, build, type Op, type Parts } from '../../kit/parts.ts'
import type { PersistentMap } from '../../kit/persistent-map.ts'
import type { JsonObject, PermissionOption } from '../messages.ts'
import type { Usage } from './usage.ts'

/** The state of a connection that the next line needs. Immutable. */
export interface AcpState {
  readonly parts: Parts
  /** The name that the agent reports. */
  readonly peer: string | null
  /** Our requests without an answer, by our id. */
  readonly asked: ReadonlyMap<string, Asked>
  /** The agent's requests that we have not answered, by its id. */
  readonly questions: ReadonlyMap<string, Question>
  /** The agent's terminal requests that we have not answered, by its id. */
  readonly served: ReadonlyMap<string, Asked>
  /** The prompts in progress, oldest first. */
  readonly prompts: readonly Prompt[]
  /** Whether the agent works without a prompt; only version 2 reports it. */
  readonly working: boolean
  /** Whether an old conversation is being replayed, until our next prompt. */
  readonly replaying: boolean
  /** Whether an answer without a known prompt is expected. A connection is made for one, so the first always is. */
  readonly awaited: boolean
  readonly seldom: Seldom
  /** The text or thinking that the next piece continues. */
  readonly piece: Piece | null
  /** How many pieces were begun; their names are numbered in that order. */
  readonly pieces: number
  /** Earlier pieces of this answer by kind and message, where the agent names its messages. */
  readonly earlier: PersistentMap<string, MessagePieces>
  readonly calls: PersistentMap<string, Call>
  readonly terminals: PersistentMap<string, Terminal>
  /** Refused calls that the agent has not yet closed. */
  readonly denied: readonly string[]
  readonly usage: Usage
  /** A failure behind an end that looks like success. */
  readonly trouble: string | null
  readonly compactions: ReadonlyMap<string, string>
}

/** Fields that seldom change. They are separate because an object of many fields is slow to copy. */
export interface Seldom {
  /** Whether no line of ours was seen so far: then no prompts are known, and each answer is expected. */
  readonly alone: boolean
  /** The current thread, and the state of the sessions in other threads, by their ids. */
  readonly thread: Thread
  readonly others: ReadonlyMap<string, SessionState>
  /** The unknown fields that were shown. */
  readonly shown: Shown
  /** The cost of the continued session before this connection; null when unknown. */
  readonly costBefore: number | null
}

/** The state of each session. */
export type SessionState = Pick<
  AcpState,
  'piece' | 'pieces' | 'earlier' | 'calls' | 'terminals' | 'denied' | 'usage' | 'trouble' | 'compactions'
>

/** A request of either side. */
export interface Asked {
  readonly method: string
  readonly params: JsonObject
}

/** A request of the agent that a person answers, and the call that shows it. */
export interface Question {
  /** A permission, a form in its own call, or a form for the questions that a call asks. */
  readonly type: 'permission' | 'elicitation' | 'question'
  readonly call: string
  readonly options: readonly PermissionOption[]
  /** The session that asks, if it is not the main one. */
  readonly session: Thread
}

/** A prompt; in version 2 the agent first accepts it and later reports that it is idle. */
export interface Prompt {
  readonly id: string
  readonly taken: boolean
}

/** A run of text or thinking. */
export interface Piece {
  readonly kind: 'text' | 'thinking'
  /** The agent's id of the message, if it has one. */
  readonly id: string | null
  readonly key: string
  readonly text: string
  /** Whether it came outside of any answer. */
  readonly stray: boolean
}

/** The closed pieces of one message of the agent. */
export interface MessagePieces {
  readonly keys: readonly string[]
  readonly text: string
}

/** The known facts of a tool call. */
export interface Call {
  readonly tool: string
  /** Whether `tool` is the agent's own name, and not derived from other facts. */
  readonly named: boolean
  readonly title?: string
  readonly kind?: string
  readonly input?: Json
  readonly content?: Json
  readonly rawOutput?: Json
  readonly locations?: Json
  /** The tool's own answer, if an adapter adds it. */
  readonly toolResponse?: Json
  readonly terminals: readonly string[]
  readonly status: 'waiting' | 'running' | 'done' | 'failed'
  /** Whether a person is being asked about it. */
  readonly asks: boolean
  readonly denied: boolean
  /** Set when it did not run because the question about it was withdrawn, without a refusal. */
  readonly isUnanswered?: boolean
  /** The input that a person was asked about. */
  readonly permission?: Json
  /** The length of the output that was last shown, while it runs. */
  readonly shown: number
}

/** A terminal, ours or the agent's. */
export interface Terminal {
  /** The call that shows it. */
  readonly call?: string
  readonly command?: string
  readonly cwd?: string
  readonly output: string
  /** Bytes at the end of the output that are not a whole character yet, in base64. */
  readonly rest: string
  readonly truncated?: boolean
  readonly exit?: JsonObject
}

/** The mutable part while a line is read: the newest state, and the chunks so far. */
export interface Draft {
  state: AcpState
  readonly chunks: ThreadChunk[]
}

/** Changes the state of the connection. */
export function change(draft: Draft, news: Partial<AcpState>): void {
  draft.state = { ...draft.state, ...news }
}

/** Changes the fields that seldom change. */
export function changeSeldom(draft: Draft, news: Partial<Seldom>): void {
  change(draft, { seldom: { ...draft.state.seldom, ...news } })
}

/** Applies operations of the kit. */
export function emit(draft: Draft, ops: readonly Op[]): void {
  if (ops.length === 0) return
  const [parts, chunks] = build(draft.state.parts, ops, draft.state.seldom.thread)
  change(draft, { parts })
  addChunks(draft, chunks)
}

/** Whether the agent is working on an answer that will be ended. */
export function isAtWork({ prompts, working, questions }: AcpState): boolean {
  return prompts.length > 0 || working || questions.size > 0
}

/** Whether an answer is expected: the next messages belong to it. */
export function isAnswering(state: AcpState): boolean {
  return state.awaited || state.seldom.thread !== null || isAtWork(state)
}
