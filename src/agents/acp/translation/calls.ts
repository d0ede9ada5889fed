import type { ProviderMetadata } from '../../../protocol/chunk.ts'
import type { Json } from '../../../protocol/json.ts'
import type { Op } from '../../kit/parts.ts'
import { callIn } from '../../kit/parts/look.ts'
import { getIn, setIn } from '../../kit/persistent-map.ts'
import { listOf, objectOf, same, textOf, type JsonObject } from '../messages.ts'
import { inputOf, unknownCall, withFacts, withTerminals } from './call-facts.ts'
import { besidesError, errorOf, hasOutput, outputOf } from './call-output.ts'
import { closeDenied } from './denials.ts'
import { change, say, type Call, type Draft } from './state.ts'
import { addBytes, changeTerminal, hearTerminal, hearTerminalFacts, terminalOf } from './terminals.ts'
import { todosIn } from './todos.ts'
import { endPiece } from './words.ts'

type OpOf<Type extends Op['type']> = Extract<Op, { readonly type: Type }>

/** The id of the call that a message names: the agent's own, unless another session has a call of that name. */
export function callNamed({ state }: Draft, told: JsonObject): string | undefined {
  const id = textOf(told['toolCallId'])
  const { thread } = state.scene
  const known = id === undefined ? undefined : callIn(state.parts, id)
  return known === undefined || known.thread === thread ? id : `${thread ?? 'main'}:${id}`
}

/** Hears of a tool call: the first news of it, or more. */
export function hearCall(draft: Draft, update: JsonObject): void {
  const id = callNamed(draft, update)
  if (id === undefined) return
  const before = getIn(draft.state.calls, id)
  if (before === undefined) endPiece(draft)
  if (!draft.state.denied.includes(id)) closeDenied(draft)
  const terminals = hearTerminalFacts(draft, objectOf(update['_meta']))
  const merged = withFacts(id, before, update)
  const call = { ...merged, terminals: withTerminals(merged.terminals, terminals) }
  for (const terminal of call.terminals)
    if (before?.terminals.includes(terminal) !== true) changeTerminal(draft, terminal, { call: id })
  tellCall(draft, id, before, call)
}

/** Hears one more block of a call's content; version 2 sends them one by one. */
export function hearCallContent(draft: Draft, update: JsonObject): void {
  const id = callNamed(draft, update)
  if (id === undefined) return
  const content = [...listOf(getIn(draft.state.calls, id)?.content), update['content'] ?? null]
  hearCall(draft, { toolCallId: update['toolCallId'] ?? null, content })
}

/** Hears of a terminal, and tells it where a call shows it. */
export function hearTerminalUpdate(draft: Draft, update: JsonObject): void {
  const id = textOf(update['terminalId'])
  if (id === undefined) return
  const { data } = update
  if (typeof data === 'string') addBytes(draft, id, data)
  else hearTerminal(draft, id, update)
  tellTerminal(draft, id)
}

/** Tells the call that shows a terminal what it says now. */
export function tellTerminal(draft: Draft, terminal: string): void {
  const id = terminalOf(draft, terminal).call
  const call = id === undefined ? undefined : getIn(draft.state.calls, id)
  if (id !== undefined && call !== undefined) tellOutput(draft, id, call, call)
}

/** Shows a call as it stands, and remembers it so. */
export function tellCall(draft: Draft, id: string, before: Call | undefined, call: Call): void {
  const isOver = before?.status === 'done' || before?.status === 'failed'
  if (!isOver) tellInput(draft, id, before, call)
  tellOutput(draft, id, before, call)
}

/** Shows a call's name and input. While a person is asked about it, and once refused, it stays as it was asked. */
function tellInput(draft: Draft, id: string, before: Call | undefined, call: Call): void {
  if (before?.asks === true || call.denied) return
  say(draft, [readyOp(id, call, inputOf(described(before, call)), besideError(draft, call))])
  const isNews = before === undefined || !same(before.input, call.input)
  const todos = isNews ? todosIn(call.input) : null
  if (todos !== null) say(draft, [todos])
}

/** A call without an input of its own is described by its first words; later ones are its output. */
function described(before: Call | undefined, call: Call): Call {
  if (call.input !== undefined || call.status === 'waiting') return call
  if (before !== undefined) return { ...before, ...named(call) }
  return call.status === 'running' ? call : { ...call, content: [] }
}

/** An error is only a text, so what else a failed call gave goes with the call. */
function besideError(draft: Draft, call: Call): Json | undefined {
  if (call.status !== 'failed') return undefined
  const beside = besidesError(outputOf(draft, call), errorOf(draft, call))
  return Object.keys(beside).length > 0 ? beside : undefined
}

const named = ({ tool, named: isNamed }: Call) => ({ tool, named: isNamed })

/** A call, its input, and what people may want to know of it. */
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

/** What a rule must know of a question: all that it shows beside the input counts. */
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

function tellOutput(draft: Draft, id: string, before: Call | undefined, call: Call): void {
  const next = outputTold(draft, id, before, call)
  change(draft, { calls: setIn(draft.state.calls, id, next) })
}

function outputTold(draft: Draft, id: string, before: Call | undefined, call: Call): Call {
  if (call.status === 'done') return tellResult(draft, id, before, call)
  if (call.status === 'failed') return tellFailure(draft, id, before, call)
  const isEarly = before === undefined || call.asks || !hasOutput(draft, call)
  return isEarly || (call.status === 'waiting' && call.terminals.length === 0)
    ? call
    : tellProgress(draft, id, before, call)
}

function tellResult(draft: Draft, id: string, before: Call | undefined, call: Call): Call {
  const output = outputOf(draft, call)
  const length = JSON.stringify(output).length
  if (before?.status === 'done' && length === call.shown && isUnchanged(before, call)) return call
  say(draft, [{ type: 'result', call: id, output }])
  return { ...call, shown: length }
}

function isUnchanged(before: Call, call: Call): boolean {
  return same(before.content, call.content) && same(before.rawOutput, call.rawOutput)
}

function tellFailure(draft: Draft, id: string, before: Call | undefined, call: Call): Call {
  if (before?.status !== 'failed') say(draft, [{ type: 'failure', call: id, error: errorOf(draft, call) }])
  return call
}

const alwaysShown = 4096

/** Shows what a running call gives: all of it each time, so a long output is shown again only when it has grown. */
function tellProgress(draft: Draft, id: string, before: Call, call: Call): Call {
  const output = outputOf(draft, call)
  const length = JSON.stringify(output).length
  const isFirst = before.shown === 0 && same(before.content, call.content) && call.terminals.length === 0
  const enough = length <= alwaysShown ? length !== call.shown : length >= call.shown * 1.125
  if (isFirst || !enough) return call
  say(draft, [{ type: 'result', call: id, output, preliminary: true }])
  return { ...call, shown: length }
}

/** What is known of a call, or a blank one. */
export function callOf(draft: Draft, id: string): Call {
  return getIn(draft.state.calls, id) ?? unknownCall
}
