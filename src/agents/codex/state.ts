import type { Thread } from '../../protocol/chunk.ts'
import type { Json } from '../../protocol/json.ts'
import type { Translation } from '../agent.ts'
import { build, type Op, type Parts } from '../kit/parts.ts'
import { isSpeaking } from '../kit/parts/look.ts'
import { getIn } from '../kit/persistent-map.ts'
import type { Live } from './live-output.ts'
import type { Totals } from './usage.ts'

/** All that must be remembered of an app-server's words to translate the next. Immutable. */
export interface State {
  readonly parts: Parts
  /** The app-server's name for the main conversation. */
  readonly main: string | null
  readonly threads: ReadonlyMap<string, NativeThread>
  /** Calls that start a subagent whose thread is not known yet, oldest first. */
  readonly spawning: readonly string[]
  /** Calls that are running, and what they have written so far. */
  readonly live: ReadonlyMap<string, Live>
  /** Requests to us that are open, by their names. */
  readonly asked: ReadonlyMap<string, Asked>
  /** Calls of the model that no item has shown so far. */
  readonly hidden: ReadonlyMap<string, { readonly tool: string; readonly input: Json }>
  /** Remarks that came before there was a message to put them in. */
  readonly held: readonly Op[]
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
  const known = state.threads.get(id)
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
  return { ...state, main: state.main ?? id, threads: new Map(state.threads).set(id, next) }
}

/** Carries out ops in a thread. Outside of a turn, what begins a message also ends it. */
export function perform(state: State, { thread, running }: NativeThread, ops: readonly Op[]): Step {
  const [parts, chunks] = build(state.parts, ops, thread)
  if (running || isSpeaking(state.parts, thread) || !isSpeaking(parts, thread))
    return [{ ...state, parts }, chunks]
  const [closed, last] = build(parts, [alone], thread)
  return [{ ...state, parts: closed }, [...chunks, ...last]]
}

const alone: Op = { type: 'finish', reason: 'finished', finishReason: 'other' }

/** Says something beside the conversation. Before the first message it waits for one: a remark is no answer. */
export function remark(state: State, threadId: string | null, ops: readonly Op[]): Step {
  const at = threadId === null ? null : nativeThread(state, threadId).thread
  const thread = getIn(state.parts.threads, at) ? at : null
  if (thread === null && !getIn(state.parts.threads, null))
    return [{ ...state, held: [...state.held, ...ops] }, []]
  const [parts, chunks] = build(state.parts, ops, thread)
  return [{ ...state, parts }, chunks]
}

/** Does one thing after the other. */
export function inOrder(first: Step, ...rest: readonly ((state: State) => Step)[]): Step {
  let [state, chunks] = first
  for (const work of rest) {
    const [next, more] = work(state)
    state = next
    if (more.length > 0) chunks = [...chunks, ...more]
  }
  return [state, chunks]
}
