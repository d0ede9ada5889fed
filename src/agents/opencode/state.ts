import type { Thread } from '../../protocol/chunk.ts'
import type { Json } from '../../protocol/json.ts'
import type { Translation } from '../agent.ts'
import type { Fields } from '../kit/fields.ts'
import { getIn, setIn, type PersistentMap } from '../kit/persistent-map.ts'
import type { Telling } from '../kit/telling.ts'
import type { Used } from './usage.ts'

/** All that must be remembered of OpenCode's words to translate the next. Immutable. */
export interface State extends Telling {
  /** OpenCode's name for the main conversation. */
  readonly main: string | null
  readonly sessions: PersistentMap<string, NativeSession>
  /** The first message that was heard of on this connection; ids ascend. */
  readonly first: string | null
  /** Who said each message: `user` or `assistant`, or `copy` for one that was said in another session. */
  readonly roles: PersistentMap<string, string>
  /** Parts of messages that were told, by id, but for calls. */
  readonly pieces: PersistentMap<string, Piece>
  /** Calls that are running, and the output that was last shown of each. */
  readonly live: ReadonlyMap<string, Json>
  /** Questions that have no call of their own, by id. */
  readonly asked: ReadonlyMap<string, { readonly sessionID: string; readonly call: string }>
  /** The inputs of calls that asked for permission: as the call has it, and as it was last shown with the permission. */
  readonly inputs: PersistentMap<string, { readonly own: Json; readonly shown: Json }>
  /** Requests for permission that came before the input of their call: they are asked when it is known. */
  readonly early: readonly Fields[]
}

/** A part of an answer; one of words is open until it is complete. */
export interface Piece {
  readonly kind: 'text' | 'thinking' | 'other'
  readonly open: boolean
}

/** One of OpenCode's sessions, and where its words go. */
export interface NativeSession {
  readonly id: string
  /** The main thread, or the call whose subagent this is. */
  readonly thread: Thread
  /** Whether that is certain. */
  readonly placed: boolean
  readonly running: boolean
  /** What was begun by the request to the model in hand: pieces, and calls without an input. */
  readonly open: readonly string[]
  /** Trouble that ends the answer, unless it goes on. */
  readonly error: Trouble | null
  readonly used: Used
  readonly model: string | null
  readonly began: number
  readonly ended: number
  /** Why the model stopped. */
  readonly reason: string
  readonly diff: string
}

/** What went wrong, as OpenCode names it. */
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

/** What a new answer begins with; the model and the diff go on. */
export const blankAnswer: Partial<NativeSession> = {
  running: true,
  open: [],
  error: null,
  used: fresh.used,
  began: 0,
  ended: 0,
  reason: '',
}

/** The session of that name, as far as it is known. The first to be heard of is the main conversation. */
export function nativeSession(state: State, id: string): NativeSession {
  const known = getIn(state.sessions, id)
  if (known) return known
  const isMain = state.main === null || state.main === id
  return { ...fresh, id, thread: isMain ? null : id, placed: isMain }
}

/** Changes what is remembered of a session. */
export function changeSession(state: State, id: string, change: Partial<NativeSession>): State {
  const next = { ...nativeSession(state, id), ...change }
  return { ...state, main: state.main ?? id, sessions: setIn(state.sessions, id, next) }
}
