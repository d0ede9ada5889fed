import type { Thread, ThreadChunk } from '../../../protocol/chunk.ts'
import type { Json } from '../../../protocol/json.ts'
import type { Shown } from '../../kit/known-fields.ts'
import { addChunks, build, type Op, type Parts } from '../../kit/parts.ts'
import type { PersistentMap } from '../../kit/persistent-map.ts'
import type { JsonObject, PermissionOption } from '../messages.ts'
import type { Usage } from './usage.ts'

/** All that must be remembered of a connection to know what its next line means. Immutable. */
export interface AcpState {
  readonly parts: Parts
  /** What the other side calls itself. */
  readonly peer: string | null
  /** What we asked and have no answer to, by our id. */
  readonly asked: ReadonlyMap<string, Asked>
  /** What the agent asked and we have not answered, by its id. */
  readonly questions: ReadonlyMap<string, Question>
  /** What the agent asked of our terminals and we have not answered, by its id. */
  readonly served: ReadonlyMap<string, Asked>
  /** The prompts that are being answered, oldest first. */
  readonly prompts: readonly Prompt[]
  /** Whether the agent works on something that nobody prompted; only version 2 says so. */
  readonly working: boolean
  /** Whether an old conversation is being told again, until our next prompt. */
  readonly replaying: boolean
  /** Whether an answer is expected of which no prompt told. A connection is made for one, so the first always is. */
  readonly awaited: boolean
  readonly scene: Scene
  /** The text or thinking that the next piece of it continues. */
  readonly piece: Piece | null
  /** How many pieces were begun; they are named in that order. */
  readonly pieces: number
  /** Earlier pieces of this answer by kind and message, where the agent names its messages. */
  readonly said: PersistentMap<string, Said>
  readonly calls: PersistentMap<string, Call>
  readonly terminals: PersistentMap<string, Terminal>
  /** Calls that a person refused and the agent has not yet closed. */
  readonly denied: readonly string[]
  readonly usage: Usage
  /** What an ending that looks like success hides. */
  readonly trouble: string | null
  readonly compactions: ReadonlyMap<string, string>
}

/** What seldom changes. It stands apart because an object of many fields takes long to copy. */
export interface Scene {
  /** Whether nothing was heard from us so far: then nobody tells of prompts, and each answer is expected. */
  readonly alone: boolean
  /** The thread that is spoken in, and what is remembered of the sessions that speak in other threads, by their names. */
  readonly thread: Thread
  readonly others: ReadonlyMap<string, Voice>
  /** The unknown fields that were shown. */
  readonly shown: Shown
  /** What the session that this connection continues had cost before it; null when that is unknown. */
  readonly costBefore: number | null
}

/** What is remembered of each session by itself. */
export type Voice = Pick<
  AcpState,
  'piece' | 'pieces' | 'said' | 'calls' | 'terminals' | 'denied' | 'usage' | 'trouble' | 'compactions'
>

/** A request of either side. */
export interface Asked {
  readonly method: string
  readonly params: JsonObject
}

/** A request of the agent that a person answers, and the call that shows it. */
export interface Question {
  /** A permission, a form in a call of its own, or a form for the questions that a call asks. */
  readonly type: 'permission' | 'elicitation' | 'question'
  readonly call: string
  readonly options: readonly PermissionOption[]
  /** The session that asks, where that is not the one that we talk in. */
  readonly session: Thread
}

/** A prompt; in version 2 the agent first takes it and much later says that it is idle. */
export interface Prompt {
  readonly id: string
  readonly taken: boolean
}

/** A stretch of text or thinking. */
export interface Piece {
  readonly kind: 'text' | 'thinking'
  /** The agent's name for the message, where it gives one. */
  readonly id: string | null
  readonly key: string
  readonly text: string
  /** Whether it was said outside of any answer. */
  readonly stray: boolean
}

/** The closed pieces of one message of the agent. */
export interface Said {
  readonly keys: readonly string[]
  readonly text: string
}

/** What is known of a tool call. */
export interface Call {
  readonly tool: string
  /** Whether `tool` is what the agent calls it, and not what we make of other facts. */
  readonly named: boolean
  readonly title?: string
  readonly kind?: string
  readonly input?: Json
  readonly content?: Json
  readonly rawOutput?: Json
  readonly locations?: Json
  /** The tool's own answer, where an adapter adds it. */
  readonly toolResponse?: Json
  readonly terminals: readonly string[]
  readonly status: 'waiting' | 'running' | 'done' | 'failed'
  /** Whether a person is being asked about it. */
  readonly asks: boolean
  readonly denied: boolean
  /** Set when it did not run because the question about it was withdrawn: nobody refused it. */
  readonly isUnanswered?: boolean
  /** What a person was asked about it. */
  readonly permission?: Json
  /** How long the output was that was last shown, while it runs. */
  readonly shown: number
}

/** A terminal, ours or the agent's. */
export interface Terminal {
  /** The call that shows it. */
  readonly call?: string
  readonly command?: string
  readonly cwd?: string
  readonly output: string
  /** Bytes at the end of the output that are no whole character yet, in base64. */
  readonly rest: string
  readonly truncated?: boolean
  readonly exit?: JsonObject
}

/** The one thing that changes while a line is read: the newest state, and the chunks so far. */
export interface Draft {
  state: AcpState
  readonly chunks: ThreadChunk[]
}

/** Changes what is remembered. */
export function change(draft: Draft, news: Partial<AcpState>): void {
  draft.state = { ...draft.state, ...news }
}

/** Changes what seldom changes. */
export function changeScene(draft: Draft, news: Partial<Scene>): void {
  change(draft, { scene: { ...draft.state.scene, ...news } })
}

/** Says what the agent did, in the words that all agents share. */
export function say(draft: Draft, ops: readonly Op[]): void {
  if (ops.length === 0) return
  const [parts, chunks] = build(draft.state.parts, ops, draft.state.scene.thread)
  change(draft, { parts })
  addChunks(draft, chunks)
}

/** Whether the agent is at work on an answer that will be ended. */
export function isAtWork({ prompts, working, questions }: AcpState): boolean {
  return prompts.length > 0 || working || questions.size > 0
}

/** Whether an answer is expected: what comes now belongs to it. */
export function isAnswering(state: AcpState): boolean {
  return state.awaited || state.scene.thread !== null || isAtWork(state)
}
