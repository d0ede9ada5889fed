import type { Thread } from '../../protocol/chunk.ts'
import type { Json } from '../../protocol/json.ts'
import type { Translation } from '../agent.ts'
import type { Fields } from '../kit/fields.ts'
import { getIn, setIn, type PersistentMap } from '../kit/persistent-map.ts'
import type { BuilderState } from '../kit/parts.ts'
import type { Used } from './usage.ts'

/** The state that the next event needs. Immutable. */
export interface State extends BuilderState {
  /** OpenCode's id of the main conversation. */
  readonly main: string | null
  readonly sessions: PersistentMap<string, NativeSession>
  /** The first message on this connection; ids ascend. */
  readonly first: string | null
  /** The role of each message: `user` or `assistant`, or `copy` for one that is from another session. */
  readonly roles: PersistentMap<string, string>
  /** Known parts of messages, by id, without calls. */
  readonly pieces: PersistentMap<string, Piece>
  /** Running calls, and the output that was last shown of each. */
  readonly live: ReadonlyMap<string, Json>
  /** Questions without a call, by id. */
  readonly asked: ReadonlyMap<string, { readonly sessionID: string; readonly call: string }>
  /** The inputs of calls that asked for permission: the call's own, and the last shown one with the permission. */
  readonly inputs: PersistentMap<string, { readonly own: Json; readonly shown: Json }>
  /** Permission requests that came before the input of their call: they are asked when it is known. */
  readonly early: readonly Fields[]
}

/** A part of an answer; a text part is open until it is complete. */
export interface Piece {
  readonly kind: 'text' | 'thinking' | 'other'
  readonly open: boolean
}

/** One of OpenCode's sessions, and its thread. */
export interface NativeSession {
  readonly id: string
  /** The main thread, or the call whose subagent this is. */
  readonly thread: Thread
  /** Whether that is certain. */
  readonly placed: boolean
  readonly running: boolean
  /** What the current request to the model began: parts, and calls without an input. */
  readonly open: readonly string[]
  /** An error that ends the answer, unless it continues. */
  readonly error: Trouble | null
  readonly used: Used
  readonly model: string | null
  readonly began: number
  readonly ended: number
  /** Why the model stopped. */
  readonly reason: string
  readonly diff: string
}

/** An error, with OpenCode's name for it. */
export interface Trouble {
  readonly name: string
  readonly message: string
}

/** A translation of one message. */
export type Step = Translation<State>

const fresh: Omit<NativeSession, 'id' | 'thread' | 'placed'> = {
  running: false,
  open: [],
  error: null,
  used: { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0, cost: 0 },
  model: null,
  began: 0,
  ended: 0,
  reason: '',
  diff: '',
}

/** The state at the beginning of an answer; the model and the diff stay. */
export const blankAnswer: Partial<NativeSession> = {
  running: true,
  open: [],
  error: null,
  used: fresh.used,
  began: 0,
  ended: 0,
  reason: '',
}

/** The known state of a session. The first one is the main conversation. */
export function nativeSession(state: State, id: string): NativeSession {
  const known = getIn(state.sessions, id)
  if (known) return known
  const isMain = state.main === null || state.main === id
  return { ...fresh, id, thread: isMain ? null : id, placed: isMain }
}

/** Changes the state of a session. */
export function changeSession(state: State, id: string, change: Partial<NativeSession>): State {
  const next = { ...nativeSession(state, id), ...change }
  return { ...state, main: state.main ?? id, sessions: setIn(state.sessions, id, next) }
}
