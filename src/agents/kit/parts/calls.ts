import type { Chunk, ProviderMetadata, Thread } from '../../../protocol/chunk.ts'
import type { DataParts } from '../../../protocol/data-parts.ts'
import type { Json } from '../../../protocol/json.ts'
import { errorAfter } from '../../../protocol/partial-output.ts'
import { parseJson } from '../parse-json.ts'
import { entriesIn, getIn, setIn } from '../persistent-map.ts'
import { deliver, openStep, show, visit } from './messages.ts'
import type { Op } from './op.ts'
import {
  callOf,
  changeCall,
  changeMessage,
  changeThread,
  emit,
  openIn,
  openPiece,
  threadOf,
  withoutPiece,
  withPiece,
  type Call,
  type CallFacts,
  type Draft,
  type MessageState,
} from './state.ts'

type OpOf<Type extends Op['type']> = Extract<Op, { readonly type: Type }>

const byAgent = { dynamic: true, providerExecuted: true }
const unknownCall: ProviderMetadata = { dragoman: { unknownCall: true } }

/** Begins a call whose input will be streamed. */
export function startCall(draft: Draft, thread: Thread, { call, tool, title }: OpOf<'call'>): void {
  if (isTaken(draft, thread, call) || isOneTooMany(draft, thread)) return
  const { index } = addCall(draft, thread, call, tool, 'streaming')
  const toolCall = { toolCallId: call, toolName: tool, ...byAgent, ...titled(title) }
  emit(draft, thread, { type: 'tool-input-start', ...toolCall })
  const message = openStep(draft, thread)
  const piece = { kind: 'call', id: call, index, text: '' } as const
  changeMessage(draft, thread, message, { open: withPiece(message.open, `call ${call}`, piece) })
}

/** Streams more of a call's input. Once the input is complete, nothing is added. */
export function streamInput(draft: Draft, thread: Thread, { call, delta }: OpOf<'call-input'>): void {
  const { message } = threadOf(draft, thread)
  const piece = message && openPiece(message, `call ${call}`)
  if (!message || !piece || delta === '') return
  emit(draft, thread, { type: 'tool-input-delta', toolCallId: call, inputTextDelta: delta })
  const open = withPiece(message.open, `call ${call}`, { ...piece, text: piece.text + delta })
  changeMessage(draft, thread, message, { open })
}

/** Sets the input of a call: a new one, a streamed one, or one whose step is still open. */
export function readyCall(draft: Draft, thread: Thread, op: OpOf<'call-ready'>): void {
  const known = callOf(draft, op.call)
  const current = known && isInHand(draft, thread, known) ? known : undefined
  if (!current && isTaken(draft, thread, op.call)) return
  if (current && (current.state === 'settled' || current.state === 'broken')) return
  const facts = factsOf(op)
  if (current?.state === 'ready' && saysNothingNew(current, op, facts)) return
  if (!current && isOneTooMany(draft, thread)) return
  giveInput(draft, thread, op.call, op.tool, op.input, facts)
}

function factsOf({ title, providerMetadata }: OpOf<'call-ready'>): CallFacts {
  return { ...titled(title), ...(providerMetadata === undefined ? {} : { providerMetadata }) }
}

function saysNothingNew(call: Call, { tool, input }: OpOf<'call-ready'>, facts: CallFacts): boolean {
  if (call.tool !== tool || !isSameText(call.input, input)) return false
  const { title = call.facts.title, providerMetadata = call.facts.providerMetadata } = facts
  return title === call.facts.title && isSameText(providerMetadata, call.facts.providerMetadata)
}

/** Whether two values have the same JSON text. An unchanged value is often the same object. */
const isSameText = (one: Json | undefined, other: Json | undefined): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)

/** Sets the result of a call. A late result goes to the call's message. For an unknown call, the call is created first and flagged. */
export function settleCall(draft: Draft, thread: Thread, op: OpOf<'result'> | OpOf<'failure'>): void {
  reach(draft, thread, op.call, call => {
    if (call.state === 'broken') return refuse(draft, call.thread, op.call)
    const isPreliminary = op.type === 'result' && op.preliminary === true
    if (isPreliminary && call.state === 'settled') return
    deliver(draft, call.thread, call.message, outcomeChunk(call, op), null)
    if (isPreliminary) changeCall(draft, op.call, { ...call, partial: op.output })
    else settled(draft, op.call, op.type === 'failure' ? call.partial : null)
  })
}

/**
 * Ends the waiting calls that are named in an unreadable line, because that line has their results. A subagent's
 * call is named in every line of the subagent, so it keeps waiting.
 */
export function settleUnread(draft: Draft, thread: Thread, beginning: string): void {
  const error = 'What it gave is too long to show here. The line that has it is kept whole.'
  for (const [call, { state }] of entriesIn(draft.parts.calls)) {
    const isMeant = state === 'ready' && getIn(draft.parts.threads, call) === undefined
    if (isMeant && beginning.includes(JSON.stringify(call)))
      settleCall(draft, thread, { type: 'failure', call, error })
  }
}

function outcomeChunk({ partial }: Call, op: OpOf<'result'> | OpOf<'failure'>): Chunk {
  const toolCall = { toolCallId: op.call, ...byAgent }
  if (op.type === 'failure')
    return { type: 'tool-output-error', ...toolCall, errorText: errorAfter(partial, op.error) }
  const { output, preliminary } = op
  const chunk = { type: 'tool-output-available', ...toolCall, output } as const
  return preliminary === true ? { ...chunk, preliminary } : chunk
}

/** Makes sure that a call has a part, flagged if the agent never reported it, and an input. */
export function reach(draft: Draft, thread: Thread, id: string, work: (call: Call) => void): void {
  const known = callOf(draft, id)
  if (known?.state === 'streaming') endCall(draft, known.thread, id)
  const call = callOf(draft, id)
  if (call) return work(call)
  visit(draft, thread, () => {
    giveInput(draft, thread, id, 'unknown', null, { providerMetadata: unknownCall })
    const made = callOf(draft, id)
    if (made) work(made)
  })
}

/** Ends the streaming of a call's input. The streamed text is the input if it is complete JSON, and an error if not. */
export function endCall(draft: Draft, thread: Thread, id: string): void {
  const piece = openIn(draft, thread, `call ${id}`)
  const call = callOf(draft, id)
  const input = piece && parseJson(piece.text)
  if (call && input !== undefined) giveInput(draft, thread, id, call.tool, input, {})
  else breakCall(draft, thread, id, 'The call was cut off before its input was complete.')
}

/** Ends a call whose input is being streamed: no more input will come. */
export function breakCall(draft: Draft, thread: Thread, id: string, errorText: string): void {
  const piece = openIn(draft, thread, `call ${id}`)
  const call = callOf(draft, id)
  if (!piece || !call) return
  const toolCall = { toolCallId: id, toolName: call.tool, ...byAgent }
  emit(draft, thread, { type: 'tool-input-error', ...toolCall, input: piece.text, errorText })
  inputEnded(draft, thread, id, false)
  changeCall(draft, id, { ...call, state: 'broken' })
}

/** Sets an error as the result of every waiting call of the open message. */
export function failWaiting(draft: Draft, thread: Thread, errorText: string): void {
  const { message } = threadOf(draft, thread)
  if (!message) return
  for (const [id, waits] of entriesIn(message.waiting)) if (waits) failCall(draft, thread, id, errorText)
}

/** Sets an error as the result of a call of the open message, if it has no result. */
export function failCall(draft: Draft, thread: Thread, id: string, error: string): void {
  const call = callOf(draft, id)
  if (call?.state !== 'ready') return
  emit(draft, thread, outcomeChunk(call, { type: 'failure', call: id, error }))
  settled(draft, id, call.partial)
}

/** Whether an id belongs to a call that cannot begin (again) here. */
function isTaken(draft: Draft, thread: Thread, id: string): boolean {
  const call = callOf(draft, id)
  if (id === thread || getIn(draft.parts.threads, id)) return true
  if (!call) return false
  const waits = call.state === 'streaming' || call.state === 'ready'
  return waits || call.thread !== thread || call.message === threadOf(draft, thread).message?.id
}

/** Whether the input of a call may still be set or replaced: clients search for the call in the current step only. */
export function isInHand(draft: Draft, thread: Thread, call: Call): boolean {
  const { message } = threadOf(draft, thread)
  if (call.thread !== thread || message?.id !== call.message) return false
  return call.step === message.step && message.inStep
}

function addCall(draft: Draft, thread: Thread, id: string, tool: string, state: Call['state']): Call {
  const { calls } = threadOf(draft, thread)
  const message = openStep(draft, thread)
  const { id: messageId, step, parts: index } = message
  changeMessage(draft, thread, message, { parts: index + 1 })
  changeThread(draft, thread, { calls: calls + 1 })
  const place = { thread, message: messageId, step, index }
  return changeCall(draft, id, {
    ...place,
    tool,
    state,
    input: null,
    facts: {},
    partial: null,
    subagent: null,
  })
}

/** Sets the input of a call, in a new part if it has none here. */
export function giveInput(
  draft: Draft,
  thread: Thread,
  id: string,
  tool: string,
  input: Json,
  facts: CallFacts,
): void {
  const known = callOf(draft, id)
  const call = known && isInHand(draft, thread, known) ? known : addCall(draft, thread, id, tool, 'ready')
  const toolCall = { toolCallId: id, toolName: tool, ...byAgent, ...facts }
  emit(draft, thread, { type: 'tool-input-available', ...toolCall, input })
  changeCall(draft, id, { ...call, tool, input, facts: { ...call.facts, ...facts }, state: 'ready' })
  inputEnded(draft, thread, id, true)
}

function inputEnded(draft: Draft, thread: Thread, id: string, waits: boolean): void {
  const message = openStep(draft, thread)
  const open = withoutPiece(message.open, `call ${id}`)
  changeMessage(draft, thread, message, { open, ...waitingIn(message, id, waits) })
}

function waitingIn(message: MessageState, id: string, waits: boolean) {
  const { waiting, waitingCalls } = message
  const waited = getIn(waiting, id) === true
  return { waiting: setIn(waiting, id, waits), waitingCalls: waitingCalls + Number(waits) - Number(waited) }
}

/** Every follower of a session copies the waiting calls, so a line with thousands of them would block the server. */
const mostWaiting = 500

/** Whether the limit of waiting calls is reached; reported once. A later call is shown when it has a result or needs approval. */
function isOneTooMany(draft: Draft, thread: Thread): boolean {
  const { message } = threadOf(draft, thread)
  if (message === null || message.waitingCalls < mostWaiting) return false
  const notice = { type: 'data-notice', id: 'too-many-calls', data: tooManyCalls } as const
  if (getIn(message.data, `${notice.type} ${notice.id}`) === undefined) show(draft, thread, notice)
  return true
}

const tooManyCalls: DataParts['notice'] = {
  level: 'warning',
  code: 'too-many-calls',
  message: `More than ${mostWaiting} tool calls run at once. The others are shown when they have a result.`,
}

function settled(draft: Draft, id: string, partial: Json): void {
  const call = callOf(draft, id)
  if (!call) return
  changeCall(draft, id, { ...call, state: 'settled', input: null, partial })
  const { message } = threadOf(draft, call.thread)
  if (message?.id === call.message) changeMessage(draft, call.thread, message, waitingIn(message, id, false))
}

function refuse(draft: Draft, thread: Thread, id: string): void {
  const message = `A result came for call ${id}, whose input had been cut off.`
  const data = { level: 'warning', code: 'result-for-broken-call', message } as const
  visit(draft, thread, () => void show(draft, thread, { type: 'data-notice', data }))
}

function titled(title: string | undefined): { readonly title?: string } {
  return title === undefined ? {} : { title }
}
