import type { Json } from '../../protocol/json.ts'
import { parseJson } from '../kit/parse-json.ts'
import { callIn } from '../kit/parts/look.ts'
import { callName } from './calls.ts'
import { objectOf, textOf, type Fields } from '../kit/fields.ts'
import { apply } from '../kit/parts.ts'
import { failureIn } from './rollout-failure.ts'
import { nativeThread, type State, type Step } from './state.ts'
import { nicknameReported } from './subagents.ts'

/**
 * An item as the model sent or received it. Codex has no other item for a patch that does not apply, a tool that does
 * not exist, or an input that is not JSON, so only this item shows that the model tried.
 */
export function rawItem(state: State, params: Fields): Step {
  const item = objectOf(params, 'item')
  const callId = textOf(item, 'call_id')
  const type = textOf(item, 'type')
  if (callId === '') return [state, []]
  const call = callName(state, textOf(params, 'threadId'), callId)
  if (type === 'function_call' || type === 'custom_tool_call') return [calledBy(state, call, item), []]
  if (type === 'function_call_output' || type === 'custom_tool_call_output')
    return answered(state, textOf(params, 'threadId'), call, item['output'] ?? null)
  return [state, []]
}

function calledBy(state: State, call: string, item: Fields): State {
  const namespace = textOf(item, 'namespace')
  const name = textOf(item, 'name')
  const tool = namespace === '' ? name : `${namespace}__${name}`
  return { ...state, hidden: new Map(state.hidden).set(call, { tool, input: inputOf(item) }) }
}

function inputOf(item: Fields): Json {
  const text = textOf(item, 'arguments')
  return item['input'] ?? parseJson(text) ?? text
}

function answered(state: State, threadId: string, call: string, output: Json): Step {
  const called = state.hidden.get(call)
  const rest = { ...state, hidden: new Map([...state.hidden].filter(([each]) => each !== call)) }
  if (callIn(state.parts, call)) return nicknameReported(rest, call, typeof output === 'string' ? output : '')
  if (!called) return [rest, []]
  const error = failureIn(called.tool, output, {})
  return apply(rest, nativeThread(state, threadId), [
    { type: 'call-ready', call, ...called },
    error === null ? { type: 'result', call, output } : { type: 'failure', call, error },
  ])
}
