import type { Thread } from '../../protocol/chunk.ts'
import type { Translation } from '../agent.ts'
import { showStrange, strangeIn, type Kinds, type Shown } from './known-fields.ts'
import { addChunks, build, type Op, type Parts } from './parts.ts'
import type { Fields } from './fields.ts'
import { isSpeaking } from './parts/look.ts'
import { getIn } from './persistent-map.ts'

/** The state that every translator needs to emit operations at any time. */
export interface Telling {
  readonly parts: Parts
  /** The unknown fields that were shown. */
  readonly shown: Shown
}

/** Begins an answer in the main thread. */
export function beginAnswer<State extends Telling>(state: State): Translation<State> {
  const [parts, chunks] = build(state.parts, [begin])
  return [{ ...state, parts }, chunks]
}

const begin: Op = { type: 'begin' }

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

/**
 * Says something beside the conversation, in the answer at hand or the last one. A connection is made for a prompt, so what
 * comes before the first answer begins it: the agent may die without another word.
 */
export function remark<State extends Telling>(
  state: State,
  at: Thread,
  ops: readonly Op[],
): Translation<State> {
  const thread = getIn(state.parts.threads, at) ? at : null
  const isFirst = !getIn(state.parts.threads, thread)
  const [parts, chunks] = build(state.parts, isFirst ? [begin, ...ops] : ops, thread)
  return [{ ...state, parts }, chunks]
}

/** Adds the unknown fields of a message to its operations. */
export function withStrange<State extends Telling>(
  meant: Translation<State>,
  kinds: Kinds,
  message: Fields,
): Translation<State> {
  const strange = strangeIn(kinds, message)
  if (strange.length === 0) return meant
  const [before, chunks] = meant
  const { ops, shown } = showStrange(before.parts.session.agent, before.shown, strange)
  if (ops.length === 0) return [{ ...before, shown }, chunks]
  const [state, more] = remark({ ...before, shown }, null, ops)
  return [state, [...chunks, ...more]]
}

/** Does one thing after the other. */
export function inOrder<State>(
  first: Translation<State>,
  ...rest: readonly ((state: State) => Translation<State>)[]
): Translation<State> {
  let [state] = first
  const draft = { chunks: [...first[1]] }
  for (const work of rest) {
    const [next, more] = work(state)
    state = next
    addChunks(draft, more)
  }
  return [state, draft.chunks]
}
