import type { DataParts } from '../../protocol/data-parts.ts'
import { build, type Op } from '../kit/parts.ts'
import { parseJson } from '../kit/parse-json.ts'
import { callIn } from '../kit/parts/look.ts'
import { getIn } from '../kit/persistent-map.ts'
import { callName } from './calls.ts'
import { asObject, listOf, textOf, type Fields } from '../kit/fields.ts'
import { changeThread, nativeThread, type NativeThread, type State, type Step } from './state.ts'

type News = Partial<DataParts['subagent']>

/** Makes sure that a thread has a place in the conversation. A thread without a call that started it gets a new call. */
export function placed(state: State, threadId: string): State {
  if (state.main === null || state.main === threadId || getIn(state.threads, threadId)?.placed === true)
    return state
  const [oldest] = state.spawning
  return oldest === undefined
    ? changeThread(state, threadId, { placed: true })
    : linked(state, threadId, oldest)
}

function linked(state: State, threadId: string, call: string): State {
  const known = getIn(state.threads, threadId)
  if (known?.placed === true || state.main === threadId) return state
  const spawning = state.spawning.filter(each => each !== call)
  return changeThread({ ...state, spawning }, threadId, { thread: call, placed: true })
}

/** A call that starts a subagent begins. */
export function spawnBegins(state: State, threadId: string, item: Fields): Step {
  const call = callName(state, threadId, textOf(item, 'id'))
  const news = { description: textOf(item, 'prompt'), status: 'running' } as const
  return showSubagent({ ...state, spawning: [...state.spawning, call] }, call, news)
}

/** A call that starts a subagent is complete: the subagent's thread is known now, unless the call failed. */
export function spawnEnds(state: State, threadId: string, item: Fields): Step {
  const call = callName(state, threadId, textOf(item, 'id'))
  const receivers = listOf(item, 'receiverThreadIds').filter(each => typeof each === 'string')
  const next = receivers.reduce((before: State, receiver) => linked(before, receiver, call), state)
  const known = { ...next, spawning: next.spawning.filter(each => each !== call) }
  return receivers.length > 0 ? [known, []] : showSubagent(known, call, { status: 'failed' })
}

/** Another kind of subagent, whose activity is reported in separate items. */
export function activityOf(state: State, threadId: string, item: Fields): Step {
  const child = textOf(item, 'agentThreadId')
  const kind = textOf(item, 'kind')
  if (kind === 'started') {
    const call = callName(state, threadId, textOf(item, 'id'))
    return showSubagent(linked(state, child, call), call, {
      agent: textOf(item, 'agentPath'),
      status: 'running',
    })
  }
  const status = activities[kind]
  return status === undefined ? [state, []] : subagentNews(state, nativeThread(state, child), { status })
}

const activities: Readonly<Record<string, DataParts['subagent']['status']>> = {
  completed: 'completed',
  interrupted: 'stopped',
}

/** An update about a thread's subagent; nothing for the main conversation, or for a subagent that was not shown. */
export function subagentNews(state: State, { thread }: NativeThread, news: News): Step {
  const isShown = thread !== null && callIn(state.parts, thread) !== undefined
  return isShown ? showSubagent(state, thread, news) : [state, []]
}

/** A subagent's turn is over. If its thread got a new call because no other call started it, that call ends too. */
export function subagentEnds(state: State, native: NativeThread, news: News): Step {
  const updated = subagentNews(state, native, news)
  if (native.thread !== native.id || callIn(state.parts, native.id)?.state !== 'ready') return updated
  const [next, chunks] = updated
  const [parts, end] = build(next.parts, [{ type: 'result', call: native.id, output: null }])
  return [{ ...next, parts }, [...chunks, ...end]]
}

/** The name of a subagent, which only the model's output of the call has. */
export function nicknameReported(state: State, call: string, output: string): Step {
  const agent = textOf(asObject(parseJson(output)), 'nickname')
  const isSpawn = callIn(state.parts, call)?.tool === 'spawnAgent'
  return isSpawn && agent !== '' ? showSubagent(state, call, { agent }) : [state, []]
}

function showSubagent(state: State, call: string, news: News): Step {
  const op: Op = { type: 'subagent', call, news }
  const [parts, chunks] = build(state.parts, [op], callIn(state.parts, call)?.thread ?? null)
  return [{ ...state, parts }, chunks]
}
