import { getIn, setIn, type PersistentMap } from '../kit/persistent-map.ts'
import type { Thread } from '../../protocol/chunk.ts'
import type { Json } from '../../protocol/json.ts'
import type { Translation } from '../agent.ts'
import type { BuilderState } from '../kit/parts.ts'
import type { Live } from './live-output.ts'
import type { Totals } from './usage.ts'

/** The state of the translation of a connection. Immutable. */
export interface State extends BuilderState {
  /** The app-server's name for the main conversation. */
  readonly main: string | null
  readonly threads: PersistentMap<string, NativeThread>
  /** Calls that start a subagent whose thread is still unknown, oldest first. */
  readonly spawning: readonly string[]
  /** Running calls, and their output so far. */
  readonly live: ReadonlyMap<string, Live>
  /** Open requests of the app-server, by name. */
  readonly asked: ReadonlyMap<string, Asked>
  /** Calls of the model that no item has reported so far. */
  readonly hidden: ReadonlyMap<string, { readonly tool: string; readonly input: Json }>
  /** Only for `codex exec --json`: the number of runs, and an error that may still fail the turn. */
  readonly exec: { readonly runs: number; readonly trouble: string | null }
}

/** A thread of the app-server. */
export interface NativeThread {
  readonly id: string
  /** The main thread, or the call whose subagent this is. */
  readonly thread: Thread
  /** Whether `thread` is certain. */
  readonly placed: boolean
  /** Its newest turn that began on this connection. */
  readonly turn: string | null
  readonly running: boolean
  /** Pieces of text and thinking that are not complete. */
  readonly pieces: readonly string[]
  /** The usage when the turn began, and the usage now. */
  readonly base: Totals | null
  readonly total: Totals | null
  /** The newest diff of the turn. */
  readonly diff: string
}

/** A request of the app-server. */
export interface Asked {
  readonly threadId: string
  readonly call: string
  /** Whether the call ends with the request; otherwise an item reports its end. */
  readonly ends: boolean
  /** Our answer, if it is known. */
  readonly answer: Json
}

/** A translation of one message of the app-server. */
export type Step = Translation<State>

/** The state of a thread. The first thread that appears is the main conversation. */
export function nativeThread(state: State, id: string): NativeThread {
  const known = getIn(state.threads, id)
  if (known) return known
  const isMain = state.main === null || state.main === id
  return {
    id,
    thread: isMain ? null : id,
    placed: isMain,
    turn: null,
    running: false,
    pieces: [],
    base: null,
    total: null,
    diff: '',
  }
}

/** Changes the state of a thread. */
export function changeThread(state: State, id: string, change: Partial<NativeThread>): State {
  const next = { ...nativeThread(state, id), ...change }
  return { ...state, main: state.main ?? id, threads: setIn(state.threads, id, next) }
}

/** The thread of chunks that belongs to a thread of the app-server. */
export const threadAt = (state: State, threadId: string | null): Thread =>
  threadId === null ? null : nativeThread(state, threadId).thread
