import type { Json } from '../../protocol/json.ts'
import { listOf, objectOf, textOf, without, type Fields } from '../kit/fields.ts'
import type { Op } from '../kit/parts.ts'
import { callIn } from '../kit/parts/look.ts'
import { inOrder, perform } from '../kit/telling.ts'
import { changeSession, nativeSession, type State, type Step } from './state.ts'
import { callName } from './tools.ts'
import { atWork } from './turns.ts'

const frame = new Set(['id', 'sessionID', 'tool'])

/** A person is asked whether a tool may do something. It may come before or after the call has its input. */
export function permissionAsked(state: State, properties: Fields): Step {
  const about = without(properties, frame)
  const patterns = listOf(properties, 'patterns').filter(each => typeof each === 'string')
  const title = [textOf(properties, 'permission'), patterns.join(', ')].filter(Boolean).join(': ')
  const input = { ...objectOf(properties, 'metadata'), permission: about['permission'] ?? null }
  return ask(state, properties, { tool: textOf(properties, 'permission'), input, title, about })
}

/** A person is asked questions. */
export function questionAsked(state: State, properties: Fields): Step {
  const input = { questions: properties['questions'] ?? [] }
  return ask(state, properties, { tool: 'question', input, title: '', about: {} })
}

interface Subject {
  readonly tool: string
  readonly input: Json
  readonly title: string
  readonly about: Fields
}

function ask(state: State, properties: Fields, { tool, input, title, about }: Subject): Step {
  const sessionID = textOf(properties, 'sessionID')
  const id = textOf(properties, 'id')
  const callID = textOf(objectOf(properties, 'tool'), 'callID')
  const call = callID === '' ? id : callName(state, sessionID, callID)
  const known = callIn(state.parts, call)
  const hasInput = known?.state === 'ready'
  const ready: Op = {
    type: 'call-ready',
    call,
    tool: known?.tool ?? tool,
    input: hasInput ? known.input : input,
    ...(title === '' ? {} : { title }),
    ...(Object.keys(about).length === 0 ? {} : { providerMetadata: { opencode: about } }),
  }
  return inOrder(atWork(state, sessionID), next => {
    const native = nativeSession(next, sessionID)
    const open = native.open.filter(each => each !== call)
    const asked = new Map(next.asked)
    if (callID === '') asked.set(id, { sessionID, call })
    const ops: readonly Op[] = [ready, { type: 'ask', call, approval: id }]
    return perform(changeSession({ ...next, asked }, sessionID, { open }), native, ops)
  })
}

/** A question is answered. Where it was about a call, what becomes of that tells the answer. */
export function answered(state: State, properties: Fields): Step {
  const id = textOf(properties, 'requestID')
  const open = state.asked.get(id)
  if (!open) return [state, []]
  const rest = { ...state, asked: new Map([...state.asked].filter(([each]) => each !== id)) }
  const output = properties['reply'] ?? properties['answers'] ?? null
  const outcome: Op =
    output === 'reject' || output === null
      ? { type: 'failure', call: open.call, error: 'Declined.' }
      : { type: 'result', call: open.call, output }
  return perform(rest, nativeSession(state, open.sessionID), [outcome])
}
