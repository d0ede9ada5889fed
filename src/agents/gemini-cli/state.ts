import type { ThreadChunk } from '../../protocol/chunk.ts'
import type { RawMessage } from '../agent.ts'
import { translateMessage, type AcpState, type JsonObject } from '../acp/index.ts'
import { addChunks, build, type Op } from '../kit/parts.ts'
import type { ChatTokens } from './messages.ts'

/** What must be remembered to know what the next line of any of the three sources means. Immutable. */
export interface GeminiState {
  /** What is known from ACP; its parts are those of all sources. */
  readonly acp: AcpState
  /** What is known from the file of the chat; null as long as nothing of it was heard. */
  readonly chat: Chat | null
  readonly headless: Headless
}

/** What the chat's file tells beside ACP. All but `old` is about the answer at hand. */
export interface Chat {
  /** Messages of earlier answers: when they are told once more, they say nothing. */
  readonly old: ReadonlySet<string>
  /** The model's texts, one from call to call, and what ACP has shown of each. */
  readonly steps: readonly Step[]
  readonly thoughts: ReadonlySet<string>
  /** News over ACP that a call is over, which wait for what the file tells about it. */
  readonly held: ReadonlyMap<string, JsonObject>
  /** What the file told about calls that ACP has not yet called over. */
  readonly facts: ReadonlyMap<string, JsonObject>
  readonly tokens: ReadonlyMap<string, ChatTokens>
}

/** A text of the model. */
export interface Step {
  readonly id: string
  readonly text: string
  /** Whether a call or a new request to the model followed. */
  readonly isOver: boolean
  /** Whether the file has told what the model said in the end. */
  readonly isTold: boolean
}

/** What is known of a run of the headless mode. */
export interface Headless {
  readonly isRunning: boolean
  /** How many texts were begun; they are named in that order. */
  readonly texts: number
  readonly error: string | null
}

/** A chat of which nothing has been heard in this answer. */
export const newAnswer = (old: ReadonlySet<string>): Chat => ({
  old,
  steps: [],
  thoughts: new Set(),
  held: new Map(),
  facts: new Map(),
  tokens: new Map(),
})

/** The one thing that changes while a line is read. */
export interface Draft {
  state: GeminiState
  readonly chunks: ThreadChunk[]
}

/** Lets the translator of ACP hear a message. */
export function pass(draft: Draft, from: RawMessage['from'], message: JsonObject): void {
  const [acp, chunks] = translateMessage(draft.state.acp, from, message)
  draft.state = { ...draft.state, acp }
  addChunks(draft, chunks)
}

/** Lets the translator of ACP hear news of the session that came from elsewhere. */
export function passUpdate(draft: Draft, sessionUpdate: string, update: JsonObject): void {
  const params = { update: { sessionUpdate, ...update } }
  pass(draft, 'agent', { method: 'session/update', params })
}

/** Says what the agent did, in the words that all agents share. */
export function say(draft: Draft, ops: readonly Op[]): void {
  const { acp } = draft.state
  const [parts, chunks] = build(acp.parts, ops)
  draft.state = { ...draft.state, acp: { ...acp, parts } }
  addChunks(draft, chunks)
}

/** Changes what is known from the chat. */
export function changeChat(draft: Draft, news: Partial<Chat>): void {
  const chat = draft.state.chat ?? newAnswer(new Set())
  draft.state = { ...draft.state, chat: { ...chat, ...news } }
}
