import { asObject, type Json } from '../../protocol/json.ts'
import type { ProviderMetadata } from '../../protocol/chunk.ts'
import { isSameInput } from '../../protocol/rule-scope.ts'
import { listOf, objectOf, textOf, without, type Fields } from '../kit/fields.ts'
import { apply, inOrder, type Op } from '../kit/parts.ts'
import { callIn } from '../kit/parts/look.ts'
import { getIn, setIn } from '../kit/persistent-map.ts'
import { changeSession, nativeSession, type State, type Step } from './state.ts'
import { callName } from './call-name.ts'
import { atWork } from './turns.ts'

const frame = new Set(['id', 'sessionID', 'tool'])

/** Asks a person whether a tool may do something. The request may come before or after the call's input. */
export function permissionAsked(state: State, properties: Fields): Step {
  const sessionID = textOf(properties, 'sessionID')
  const callID = textOf(objectOf(properties, 'tool'), 'callID')
  const call = callID === '' ? null : callName(state, sessionID, callID)
  const isEarly = call !== null && callIn(state.parts, call)?.state !== 'ready'
  if (isEarly) return [{ ...state, early: [...state.early, properties] }, []]
  return askPermission(state, properties)
}

/** Asks a question that came before its call's input: when the input is known, or after a timeout. */
export function askEarly(state: State, call: string | null = null): Step {
  const isDue = (properties: Fields) =>
    call === null ||
    callName(state, textOf(properties, 'sessionID'), textOf(objectOf(properties, 'tool'), 'callID')) === call
  const due = state.early.filter(isDue)
  if (due.length === 0) return [state, []]
  const rest: Step = [{ ...state, early: state.early.filter(each => !isDue(each)) }, []]
  return inOrder(rest, ...due.map(properties => (next: State) => askPermission(next, properties)))
}

/** Asks at once, with the known facts of the call. */
export function askPermission(state: State, properties: Fields): Step {
  const about = without(properties, frame)
  const patterns = listOf(properties, 'patterns').filter(each => typeof each === 'string')
  const title = [textOf(properties, 'permission'), patterns.join(', ')].filter(Boolean).join(': ')
  const input = objectOf(properties, 'metadata')
  return ask(state, properties, { tool: textOf(properties, 'permission'), input, title, about })
}

/** Asks a person questions. */
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
  const own = hasInput ? ownInput(state, call, known.input) : input
  const shown = withPermission(own, about)
  const askedAs = { tool: known?.tool ?? tool, ...metadataOf(about, !hasInput) }
  const ready: Op = {
    type: 'call-ready',
    call,
    input: shown,
    ...(title === '' ? {} : { title }),
    ...askedAs,
  }
  return inOrder(atWork(state, sessionID), next => {
    const native = nativeSession(next, sessionID)
    const open = native.open.filter(each => each !== call)
    const asked = new Map(next.asked)
    if (callID === '') asked.set(id, { sessionID, call })
    const inputs = setIn(next.inputs, call, { own, shown })
    const ops: readonly Op[] = [ready, { type: 'ask', call, approval: id, input: shown, about: askedAs }]
    return apply(changeSession({ ...next, asked, inputs }, sessionID, { open }), native, ops)
  })
}

/** The input of a call without the permission that an earlier question added to it. */
function ownInput(state: State, call: string, input: Json): Json {
  const earlier = getIn(state.inputs, call)
  return earlier !== undefined && isSameInput(earlier.shown, input) ? earlier.own : input
}

/**
 * The input, with the requested permission: one call may request several, one after the other. Where that would hide
 * a field of the input, the whole input gets a separate field.
 */
function withPermission(input: Json, about: Fields): Json {
  const fields = asObject(input)
  const { permission, patterns } = about
  if (permission === undefined) return input
  const metadata = Object.entries(objectOf(about, 'metadata')).filter(
    ([name, value]) => !Object.hasOwn(fields, name) || !isSameInput(fields[name] ?? null, value),
  )
  const request: Fields = {
    permission,
    ...(patterns === undefined ? {} : { patterns }),
    ...(metadata.length === 0 ? {} : { metadata: Object.fromEntries(metadata) }),
  }
  const isHidden = ['input', 'permission', 'patterns', 'metadata'].some(name => Object.hasOwn(fields, name))
  return isHidden ? { input: fields, ...request } : { ...fields, ...request }
}

function metadataOf(about: Fields, isPartial: boolean): { readonly providerMetadata?: ProviderMetadata } {
  if (Object.keys(about).length === 0) return {}
  return { providerMetadata: { opencode: about, ...(isPartial ? { dragoman: { partialInput: true } } : {}) } }
}

/** A question was answered. If it was about a call, the call's next state shows the answer. */
export function answered(state: State, properties: Fields): Step {
  const id = textOf(properties, 'requestID')
  const open = state.asked.get(id)
  if (!open) return [{ ...state, early: state.early.filter(each => textOf(each, 'id') !== id) }, []]
  const rest = { ...state, asked: new Map([...state.asked].filter(([each]) => each !== id)) }
  const output = properties['reply'] ?? properties['answers'] ?? null
  const outcome: Op =
    output === 'reject' || output === null
      ? { type: 'failure', call: open.call, error: 'Declined.' }
      : { type: 'result', call: open.call, output }
  return apply(rest, nativeSession(state, open.sessionID), [outcome])
}
