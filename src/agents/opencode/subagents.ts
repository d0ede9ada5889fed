import { getIn } from '../kit/persistent-map.ts'
import type { DataParts } from '../../protocol/data-parts.ts'
import { textOf, type Fields } from '../kit/fields.ts'
import { build } from '../kit/parts.ts'
import { callIn } from '../kit/parts/look.ts'
import { changeSession, type NativeSession, type State, type Step } from './state.ts'

type News = Partial<DataParts['subagent']>

/** Puts the events of a session into the thread of the call that started it. */
export function linked(state: State, sessionID: string, call: string): State {
  return changeSession(state, sessionID, { thread: call, placed: true })
}

/** Makes sure that a session has a thread. A session without a call gets one. */
export function placed(state: State, sessionID: string): State {
  const isKnown = state.main === null || state.main === sessionID
  if (isKnown || getIn(state.sessions, sessionID)?.placed === true) return state
  return changeSession(state, sessionID, { placed: true })
}

/** A subagent is at work. */
export function subagentBegins(state: State, call: string, input: Fields): Step {
  const agent = textOf(input, 'subagent_type')
  const description = textOf(input, 'description')
  return emitNews(state, call, { ...(agent === '' ? {} : { agent }), description, status: 'running' })
}

/** An update of a session's subagent; none for the main conversation, or for one that was not shown. */
export function subagentNews(state: State, { thread }: NativeSession, news: News): Step {
  const isShown = thread !== null && callIn(state.parts, thread) !== undefined
  return isShown ? emitNews(state, thread, news) : [state, []]
}

/** A subagent has ended. A session without a call has only the one that was made up for it, which ends, too. */
export function subagentEnds(state: State, native: NativeSession, news: News): Step {
  const step = subagentNews(state, native, news)
  if (native.thread !== native.id || callIn(state.parts, native.id)?.state !== 'ready') return step
  const [next, chunks] = step
  const [parts, end] = build(next.parts, [{ type: 'result', call: native.id, output: null }])
  return [{ ...next, parts }, [...chunks, ...end]]
}

function emitNews(state: State, call: string, news: News): Step {
  const thread = callIn(state.parts, call)?.thread ?? null
  const [parts, chunks] = build(state.parts, [{ type: 'subagent', call, news }], thread)
  return [{ ...state, parts }, chunks]
}
