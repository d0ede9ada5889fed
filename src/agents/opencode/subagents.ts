import { getIn } from '../kit/persistent-map.ts'
import type { DataParts } from '../../protocol/data-parts.ts'
import { textOf, type Fields } from '../kit/fields.ts'
import { build } from '../kit/parts.ts'
import { callIn } from '../kit/parts/look.ts'
import { changeSession, type NativeSession, type State, type Step } from './state.ts'

type News = Partial<DataParts['subagent']>

/** Puts the words of a session into the thread of the call that started it. */
export function linked(state: State, sessionID: string, call: string): State {
  return changeSession(state, sessionID, { thread: call, placed: true })
}

/** Makes sure that it is known whose words a session's are. One that nobody started gets a call of its own. */
export function placed(state: State, sessionID: string): State {
  const isKnown = state.main === null || state.main === sessionID
  if (isKnown || getIn(state.sessions, sessionID)?.placed === true) return state
  return changeSession(state, sessionID, { placed: true })
}

/** A subagent is at work. */
export function subagentBegins(state: State, call: string, input: Fields): Step {
  const agent = textOf(input, 'subagent_type')
  const description = textOf(input, 'description')
  return tell(state, call, { ...(agent === '' ? {} : { agent }), description, status: 'running' })
}

/** News of a session's subagent; none for the main conversation, or for one that has not been shown. */
export function subagentNews(state: State, { thread }: NativeSession, news: News): Step {
  const isShown = thread !== null && callIn(state.parts, thread) !== undefined
  return isShown ? tell(state, thread, news) : [state, []]
}

/** A subagent has ended. A session that nobody started has only a call that was made up for it, which ends, too. */
export function subagentEnds(state: State, native: NativeSession, news: News): Step {
  const told = subagentNews(state, native, news)
  if (native.thread !== native.id || callIn(state.parts, native.id)?.state !== 'ready') return told
  const [next, chunks] = told
  const [parts, end] = build(next.parts, [{ type: 'result', call: native.id, output: null }])
  return [{ ...next, parts }, [...chunks, ...end]]
}

function tell(state: State, call: string, news: News): Step {
  const thread = callIn(state.parts, call)?.thread ?? null
  const [parts, chunks] = build(state.parts, [{ type: 'subagent', call, news }], thread)
  return [{ ...state, parts }, chunks]
}
