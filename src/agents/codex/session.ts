import { build } from '../kit/parts.ts'
import { objectOf, textOf, textOrNull, type Fields } from '../kit/fields.ts'
import { changeThread, type State, type Step } from './state.ts'

/** A response about a thread that was started, resumed, or forked from the current one. */
export function threadOpened(state: State, result: Fields): Step {
  const thread = objectOf(result, 'thread')
  const id = textOf(thread, 'id')
  const isNext = state.main === null || textOf(thread, 'forkedFromId') === state.main
  if (id === '' || (!isNext && id !== state.main)) return [state, []]
  const main = isNext ? becomesMain(state, id) : state
  return introduce(main, { ...thread, model: result['model'] ?? thread['model'] ?? null })
}

function becomesMain(state: State, id: string): State {
  return changeThread({ ...state, main: id }, id, { thread: null, placed: true })
}

/** A thread is loaded. The first one without a parent is the main conversation. */
export function threadStarted(state: State, params: Fields): Step {
  const thread = objectOf(params, 'thread')
  const isChild = textOrNull(thread, 'parentThreadId') !== null
  return state.main === null && !isChild ? threadOpened(state, params) : [state, []]
}

/** The settings of a thread have changed. */
export function settingsUpdated(state: State, params: Fields): Step {
  if (textOf(params, 'threadId') !== state.main) return [state, []]
  return introduce(state, objectOf(params, 'threadSettings'))
}

function introduce(state: State, thread: Fields): Step {
  const model = textOrNull(thread, 'model')
  const cwd = textOrNull(thread, 'cwd')
  const version = textOrNull(thread, 'cliVersion')
  const data = {
    agentSession: state.main,
    ...(model !== null && { model }),
    ...(cwd !== null && { cwd }),
    ...(version !== null && { version }),
  }
  const [parts, chunks] = build(state.parts, [{ type: 'session', data }])
  return [{ ...state, parts }, chunks]
}
