import { getIn, setIn, type PersistentMap } from '../kit/persistent-map.ts'
import type { Thread } from '../../protocol/chunk.ts'
import type { Json } from '../../protocol/json.ts'
import type { Translation } from '../agent.ts'
import type { Telling } from '../kit/telling.ts'
import type { Live } from './live-output.ts'
import type { Totals } from './usage.ts'

/** All that must be remembered of an app-server's words to translate the next. Immutable. */
export interface State extends Telling {
  /** The app-server's name for the main conversation. */
  readonly main: string | null
  readonly threads: PersistentMap<string, NativeThread>
  /** Calls that start a subagent whose thread is not known yet, oldest first. */
  readonly spawning: readonly string[]
  /** Calls that are running, and what they have written so far. */
  readonly live: ReadonlyMap<string, Live>
  /** Requests to us that are open, by their names. */
  readonly asked: ReadonlyMap<string, Asked>
  /** Calls of the model that no item has shown so far. */
  readonly hidden: ReadonlyMap<string, { readonly tool: string; readonly input: Json }>
  /** Of `codex exec --json`: how often it was run, and an error that may yet fail the turn. */
  readonly exec: { readonly runs: number; readonly trouble: string | null }
}

/** One of the app-server's threads, and where its words go. */
export interface NativeThread {
  readonly id: string
  /** The main thread, or the call whose subagent this is. */
  readonly thread: Thread
  /** Whether that is certain. */
  readonly placed: boolean
  /** Its newest turn that began on this connection. */
  readonly turn: string | null
  readonly running: boolean
  /** Pieces of text and thinking that are not complete. */
  readonly words: readonly string[]
  /** What it had used when the turn began, and what it has used now. */
  readonly base: Totals | null
  readonly total: Totals | null
  /** The newest diff of the turn. */
  readonly diff: string
}

/** A request to us. */
export interface Asked {
  readonly threadId: string
  readonly call: string
  /** Whether its end is the end of the call; otherwise an item tells of that. */
  readonly ends: boolean
  /** Our answer, where it is known. */
  readonly answer: Json
}

/** A translation of one message of the app-server. */
export type Step = Translation<State>

/** The thread of that name, as far as it is known. The first to be heard of is the main conversation. */
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
    words: [],
    base: null,
    total: null,
    diff: '',
  }
}

/** Changes what is remembered of a thread. */
export function changeThread(state: State, id: string, change: Partial<NativeThread>): State {
  const next = { ...nativeThread(state, id), ...change }
  return { ...state, main: state.main ?? id, threads: setIn(state.threads, id, next) }
}

/** The thread of chunks that a thread of the app-server speaks in. */
export const threadAt = (state: State, threadId: string | null): Thread =>
  threadId === null ? null : nativeThread(state, threadId).thread
