import type { ThreadChunk } from '../../protocol/chunk.ts'
import type { RawMessage } from '../agent.ts'
import { translateMessage, type AcpState, type JsonObject } from '../acp/index.ts'
import { addChunks, build, type Op } from '../kit/parts.ts'
import type { ChatTokens } from './messages.ts'

/** The state that the next line of any of the three sources needs. Immutable. */
export interface GeminiState {
  /** The state of ACP; its parts are those of all sources. */
  readonly acp: AcpState
  /** The state of the chat's file; null until its first line. */
  readonly chat: Chat | null
  readonly headless: Headless
}

/** What the chat's file adds to ACP. All but `old` is about the current answer. */
export interface Chat {
  /** Messages of earlier answers: repeated ones give nothing. */
  readonly old: ReadonlySet<string>
  /** The model's texts, one from call to call, and what ACP has shown of each. */
  readonly steps: readonly Step[]
  readonly thoughts: ReadonlySet<string>
  /** ACP updates that end a call, which wait for the file's facts about it. */
  readonly held: ReadonlyMap<string, JsonObject>
  /** The file's facts about calls that ACP has not ended yet. */
  readonly facts: ReadonlyMap<string, JsonObject>
  readonly tokens: ReadonlyMap<string, ChatTokens>
}

/** A text of the model. */
export interface Step {
  readonly id: string
  readonly text: string
  /** Whether a call or a new request to the model followed. */
  readonly isOver: boolean
  /** Whether the file has the final text. */
  readonly isFinal: boolean
}

/** The state of a run of the headless mode. */
export interface Headless {
  readonly isRunning: boolean
  /** How many texts were begun; their names are numbered in that order. */
  readonly texts: number
  readonly error: string | null
}

/** The chat before its first line in this answer. */
export const newAnswer = (old: ReadonlySet<string>): Chat => ({
  old,
  steps: [],
  thoughts: new Set(),
  held: new Map(),
  facts: new Map(),
  tokens: new Map(),
})

/** The mutable part while a line is read. */
export interface Draft {
  state: GeminiState
  readonly chunks: ThreadChunk[]
}

/** Passes a message to the translator of ACP. */
export function pass(draft: Draft, from: RawMessage['from'], message: JsonObject): void {
  const [acp, chunks] = translateMessage(draft.state.acp, from, message)
  draft.state = { ...draft.state, acp }
  addChunks(draft, chunks)
}

/** Passes a session update from another source to the translator of ACP. */
export function passUpdate(draft: Draft, sessionUpdate: string, update: JsonObject): void {
  const params = { update: { sessionUpdate, ...update } }
  pass(draft, 'agent', { method: 'session/update', params })
}

/** Applies operations of the kit. */
export function emit(draft: Draft, ops: readonly Op[]): void {
  const { acp } = draft.state
  const [parts, chunks] = build(acp.parts, ops)
  draft.state = { ...draft.state, acp: { ...acp, parts } }
  addChunks(draft, chunks)
}

/** Changes the state of the chat. */
export function changeChat(draft: Draft, news: Partial<Chat>): void {
  const chat = draft.state.chat ?? newAnswer(new Set())
  draft.state = { ...draft.state, chat: { ...chat, ...news } }
}
