import type { ProviderMetadata } from '../../../protocol/chunk.ts'
import type { Json } from '../../../protocol/json.ts'
import type { Op } from '../../kit/parts.ts'
import { callIn } from '../../kit/parts/look.ts'
import { getIn, setIn } from '../../kit/persistent-map.ts'
import { listOf, objectOf, same, textOf, type JsonObject } from '../messages.ts'
import { inputOf, unknownCall, withFacts, withTerminals } from './call-facts.ts'
import { besidesError, errorOf, hasOutput, outputOf } from './call-output.ts'
import { closeDenied } from './denials.ts'
import { change, emit, type Call, type Draft } from './state.ts'
import { addBytes, changeTerminal, applyTerminal, applyTerminalFacts, terminalOf } from './terminals.ts'
import { todosIn } from './todos.ts'
import { endPiece } from './text.ts'

type OpOf<Type extends Op['type']> = Extract<Op, { readonly type: Type }>

/** The id of the call that a message names: the agent's own, unless another session has a call of that id. */
export function callNamed({ state }: Draft, facts: JsonObject): string | undefined {
  const id = textOf(facts['toolCallId'])
  const { thread } = state.seldom
  const known = id === undefined ? undefined : callIn(state.parts, id)
  return known === undefined || known.thread === thread ? id : `${thread ?? 'main'}:${id}`
}

/** Applies a tool call update, the first or a later one. */
export function applyCall(draft: Draft, update: JsonObject): void {
  const id = callNamed(draft, update)
  if (id === undefined) return
  const before = getIn(draft.state.calls, id)
  if (before === undefined) endPiece(draft)
  if (!draft.state.denied.includes(id)) closeDenied(draft)
  const terminals = applyTerminalFacts(draft, objectOf(update['_meta']))
  const merged = withFacts(id, before, update)
  const call = { ...merged, terminals: withTerminals(merged.terminals, terminals) }
  for (const terminal of call.terminals)
    if (before?.terminals.includes(terminal) !== true) changeTerminal(draft, terminal, { call: id })
  showCall(draft, id, before, call)
}

/** Adds one block to a call's content; version 2 sends them one by one. */
export function applyCallContent(draft: Draft, update: JsonObject): void {
  const id = callNamed(draft, update)
  if (id === undefined) return
  const content = [...listOf(getIn(draft.state.calls, id)?.content), update['content'] ?? null]
  applyCall(draft, { toolCallId: update['toolCallId'] ?? null, content })
}

/** Applies a terminal update, and updates the call that shows the terminal. */
export function applyTerminalUpdate(draft: Draft, update: JsonObject): void {
  const id = textOf(update['terminalId'])
  if (id === undefined) return
  const { data } = update
  if (typeof data === 'string') addBytes(draft, id, data)
  else applyTerminal(draft, id, update)
  showTerminal(draft, id)
}

/** Updates the call that shows a terminal with the terminal's output. */
export function showTerminal(draft: Draft, terminal: string): void {
  const id = terminalOf(draft, terminal).call
  const call = id === undefined ? undefined : getIn(draft.state.calls, id)
  if (id !== undefined && call !== undefined) showOutput(draft, id, call, call)
}

/** Shows a call as it is now, and saves its state. */
export function showCall(draft: Draft, id: string, before: Call | undefined, call: Call): void {
  const isOver = before?.status === 'done' || before?.status === 'failed'
  if (!isOver) showInput(draft, id, before, call)
  showOutput(draft, id, before, call)
}

/** Shows a call's name and input. While a person is asked about it, and once refused, it stays as it was asked. */
function showInput(draft: Draft, id: string, before: Call | undefined, call: Call): void {
  if (before?.asks === true || call.denied) return
  if (isOnlyFacts(before, call)) return
  emit(draft, [readyOp(id, call, inputOf(described(before, call)), besideError(draft, call))])
  const isNews = before === undefined || !same(before.input, call.input)
  const todos = isNews ? todosIn(call.input) : null
  if (todos !== null) emit(draft, [todos])
}

const longInput = 64 * 1024

/** A new title or location is not worth another copy of a long input: an agent can report hundreds of them. */
const isOnlyFacts = (before: Call | undefined, { input, status }: Call): boolean =>
  before !== undefined &&
  input !== undefined &&
  before.input === input &&
  status !== 'failed' &&
  roomBeside(input, longInput) <= 0

/** What is left of a number of characters beside a value, counted only until nothing is. */
function roomBeside(value: Json, room: number): number {
  if (typeof value === 'string') return room - value.length
  if (typeof value !== 'object' || value === null) return room - 8
  let left = room - 2
  for (const [name, each] of Object.entries(value)) {
    if (left <= 0) return left
    left = roomBeside(each, left - name.length)
  }
  return left
}

/** A call without an input is described by its first text; later text is its output. */
function described(before: Call | undefined, call: Call): Call {
  if (call.input !== undefined || call.status === 'waiting') return call
  if (before !== undefined) return { ...before, ...named(call) }
  return call.status === 'running' ? call : { ...call, content: [] }
}

/** An error is only a text, so the other output of a failed call goes with the call. */
function besideError(draft: Draft, call: Call): Json | undefined {
  if (call.status !== 'failed') return undefined
  const beside = besidesError(outputOf(draft, call), errorOf(draft, call))
  return Object.keys(beside).length > 0 ? beside : undefined
}

const named = ({ tool, named: isNamed }: Call) => ({ tool, named: isNamed })

/** A call, its input, and facts about it for people. */
export function readyOp(id: string, call: Call, input: Json, result?: Json): OpOf<'call-ready'> {
  const { tool, title, kind, locations, permission } = call
  const facts = {
    ...(kind === undefined ? {} : { kind }),
    ...(listOf(locations).length === 0 ? {} : { locations: locations ?? null }),
    ...(permission === undefined ? {} : { permission }),
    ...(result === undefined ? {} : { result }),
  }
  const dragoman = permission === undefined ? {} : ruleFacts(call, input, objectOf(permission))
  const providerMetadata: ProviderMetadata = {
    ...(Object.keys(facts).length === 0 ? {} : { acp: facts }),
    ...(Object.keys(dragoman).length === 0 ? {} : { dragoman }),
  }
  return {
    type: 'call-ready',
    call: id,
    tool,
    input,
    ...(title === undefined ? {} : { title }),
    ...(Object.keys(providerMetadata).length === 0 ? {} : { providerMetadata }),
  }
}

/** What a rule must compare of a question: everything that it shows in addition to the input. */
function ruleFacts(call: Call, input: Json, permission: JsonObject): JsonObject {
  if (call.input === undefined) return { partialInput: true }
  const { options, content: added, ...request } = permission
  const { kind, title, locations } = call
  const description = textOf(objectOf(input)['description'])
  const isOther = (block: Json) =>
    description === undefined || objectOf(objectOf(block)['content'])['text'] !== description
  const content = [...listOf(call.content), ...listOf(added)].filter(isOther)
  const shown = {
    ...(Object.keys(request).length === 0 ? {} : { request }),
    ...(title === undefined || title === description ? {} : { title }),
    ...(kind === undefined ? {} : { kind }),
    ...(listOf(locations).length === 0 ? {} : { locations: locations ?? null }),
    ...(content.length === 0 ? {} : { content }),
  }
  const isOnce = listOf(options).some(option => objectOf(option)['kind'] === 'allow_once')
  return {
    ...(Object.keys(shown).length === 0 ? {} : { compared: { shown } }),
    ...(isOnce ? {} : { onlyForGood: true }),
  }
}

function showOutput(draft: Draft, id: string, before: Call | undefined, call: Call): void {
  const next = shownOutput(draft, id, before, call)
  change(draft, { calls: setIn(draft.state.calls, id, next) })
}

function shownOutput(draft: Draft, id: string, before: Call | undefined, call: Call): Call {
  if (call.status === 'done') return showResult(draft, id, before, call)
  if (call.status === 'failed') return showFailure(draft, id, before, call)
  const isEarly = before === undefined || call.asks || !hasOutput(draft, call)
  return isEarly || (call.status === 'waiting' && call.terminals.length === 0)
    ? call
    : showProgress(draft, id, before, call)
}

function showResult(draft: Draft, id: string, before: Call | undefined, call: Call): Call {
  const output = outputOf(draft, call)
  const length = JSON.stringify(output).length
  if (before?.status === 'done' && length === call.shown && isUnchanged(before, call)) return call
  emit(draft, [{ type: 'result', call: id, output }])
  return { ...call, shown: length }
}

function isUnchanged(before: Call, call: Call): boolean {
  return same(before.content, call.content) && same(before.rawOutput, call.rawOutput)
}

function showFailure(draft: Draft, id: string, before: Call | undefined, call: Call): Call {
  if (before?.status !== 'failed') emit(draft, [{ type: 'failure', call: id, error: errorOf(draft, call) }])
  return call
}

const alwaysShown = 4096

/** Shows the output of a running call: all of it each time, so a long output is shown again only when it has grown. */
function showProgress(draft: Draft, id: string, before: Call, call: Call): Call {
  const output = outputOf(draft, call)
  const length = JSON.stringify(output).length
  const isFirst = before.shown === 0 && same(before.content, call.content) && call.terminals.length === 0
  const enough = length <= alwaysShown ? length !== call.shown : length >= call.shown * 1.125
  if (isFirst || !enough) return call
  emit(draft, [{ type: 'result', call: id, output, preliminary: true }])
  return { ...call, shown: length }
}

/** The known facts of a call, or an empty one. */
export function callOf(draft: Draft, id: string): Call {
  return getIn(draft.state.calls, id) ?? unknownCall
}
