import type { Thread } from '../../protocol/chunk.ts'
import type { Translation } from '../agent.ts'
import { build, type Op, type Parts } from './parts.ts'
import { isSpeaking } from './parts/look.ts'
import { getIn } from './persistent-map.ts'

/** What a translator's state must hold so that anything can be told at any time. */
export interface Telling {
  readonly parts: Parts
  /** Remarks that came before there was a message to put them in. */
  readonly held: readonly Op[]
}

/** Begins an answer in the main thread, with the remarks that waited for one. */
export function beginAnswer<State extends Telling>(state: State): Translation<State> {
  const [parts, chunks] = build(state.parts, [{ type: 'begin' }, ...state.held])
  return [{ ...state, parts, held: [] }, chunks]
}

/** Carries out ops in a thread. While no answer is at work there, what begins a message also ends it. */
export function perform<State extends Telling>(
  state: State,
  { thread, running }: { readonly thread: Thread; readonly running: boolean },
  ops: readonly Op[],
): Translation<State> {
  const [parts, chunks] = build(state.parts, ops, thread)
  if (running || isSpeaking(state.parts, thread) || !isSpeaking(parts, thread))
    return [{ ...state, parts }, chunks]
  const [closed, last] = build(parts, [alone], thread)
  return [{ ...state, parts: closed }, [...chunks, ...last]]
}

const alone: Op = { type: 'finish', reason: 'finished', finishReason: 'other' }

/** Says something beside the conversation. Before the first message it waits for one: a remark is no answer. */
export function remark<State extends Telling>(
  state: State,
  at: Thread,
  ops: readonly Op[],
): Translation<State> {
  const thread = getIn(state.parts.threads, at) ? at : null
  if (thread === null && !getIn(state.parts.threads, null))
    return [{ ...state, held: [...state.held, ...ops] }, []]
  const [parts, chunks] = build(state.parts, ops, thread)
  return [{ ...state, parts }, chunks]
}

/** Does one thing after the other. */
export function inOrder<State>(
  first: Translation<State>,
  ...rest: readonly ((state: State) => Translation<State>)[]
): Translation<State> {
  let [state, chunks] = first
  for (const work of rest) {
    const [next, more] = work(state)
    state = next
    if (more.length > 0) chunks = [...chunks, ...more]
  }
  return [state, chunks]
}
