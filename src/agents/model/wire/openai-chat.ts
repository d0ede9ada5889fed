import type { FinishReason } from '../../../protocol/chunk.ts'
import type { Tokens } from '../../../protocol/data-parts.ts'
import { asObject, type Json } from '../../../protocol/json.ts'
import { listOf, numberOf, objectOf, textOf, type Fields } from '../../kit/fields.ts'
import type { OpenPiece, WireEvent, WireState } from './wire-event.ts'

/** Reads an event of OpenAI's Chat Completions API, with the variations of many services. */
export function readOpenAiChat(state: WireState, event: Fields): readonly WireEvent[] {
  const error = event['error']
  if (error !== undefined && error !== null) return [errorOf(error)]
  const choice = asObject(listOf(event, 'choices')[0])
  const usage = objectOf(event, 'usage')
  const model = textOf(event, 'model')
  const native = textOf(choice, 'finish_reason')
  return [
    ...(state.isStarted || model === '' ? [] : [{ type: 'model', model } as const]),
    ...textEvents(state, objectOf(choice, 'delta')),
    ...(Object.keys(usage).length === 0 ? [] : [{ type: 'usage', tokens: tokensOf(usage) } as const]),
    ...(native === '' ? [] : stopped(native)),
  ]
}

/** What is open when a response ends is complete, including its calls. */
export function endOpen({ open }: WireState): readonly WireEvent[] {
  return [...open].map(([key, { kind, id, tool }]) =>
    kind === 'call' ? { type: 'call-ready', key, id, tool } : { type: 'end', key },
  )
}

function errorOf(error: Json): WireEvent {
  const fields = asObject(error)
  const kind = textOf(fields, 'code') || textOf(fields, 'type') || 'error'
  const message = typeof error === 'string' ? error : textOf(fields, 'message')
  return { type: 'error', kind, message }
}

function textEvents(state: WireState, delta: Fields): readonly WireEvent[] {
  const thought = textOf(delta, 'reasoning_content') || textOf(delta, 'reasoning')
  const { thoughts, text } = contentOf(delta['content'] ?? '')
  return [
    ...spoken(state, 'thinking', thought + thoughts),
    ...spoken(state, 'text', text + textOf(delta, 'refusal')),
    ...listOf(delta, 'tool_calls').flatMap((call, at) => callPart(state, asObject(call), at)),
  ]
}

/** Some services send content in parts, thoughts among them. */
function contentOf(content: Json): { readonly thoughts: string; readonly text: string } {
  if (typeof content === 'string') return { thoughts: '', text: content }
  const parts = Array.isArray(content) ? (content as readonly Json[]).map(asObject) : []
  const thoughts = parts.flatMap(part => listOf(part, 'thinking')).map(each => textOf(asObject(each), 'text'))
  return { thoughts: thoughts.join(''), text: parts.map(part => textOf(part, 'text')).join('') }
}

/** Pieces have no names, so text of one kind continues until another kind comes. */
function spoken(state: WireState, kind: 'text' | 'thinking', delta: string): readonly WireEvent[] {
  if (delta === '') return []
  const [open] = [...state.open].filter(([, piece]) => piece.kind === kind)
  const others = [...state.open].filter(([, piece]) => piece.kind !== kind && piece.kind !== 'call')
  const key = open?.[0] ?? `w${state.begun}`
  return [...others.map(([other]) => ({ type: 'end', key: other }) as const), { type: kind, key, delta }]
}

function callPart(state: WireState, part: Fields, at: number): readonly WireEvent[] {
  const called = objectOf(part, 'function')
  const id = textOf(part, 'id')
  const index = typeof part['index'] === 'number' ? part['index'] : at
  const input = inputOf(called['arguments'])
  const open = [...state.open].findLast(([key, piece]) => isPartOf(key, piece, index, id))
  if (open !== undefined) return input === '' ? [] : [{ type: 'call-input', key: open[0], delta: input }]
  const key = `c${index}.${state.begun + at}`
  const others = [...state.open].filter(([, { kind }]) => kind !== 'call')
  return [
    ...others.map(([other]) => ({ type: 'end', key: other }) as const),
    { type: 'call', key, id, tool: textOf(called, 'name') },
    ...(input === '' ? [] : [{ type: 'call-input', key, delta: input } as const]),
  ]
}

/** A part without an id continues the call of its place; one with another id is another call. */
function isPartOf(key: string, { kind, id }: OpenPiece, index: number, other: string): boolean {
  return kind === 'call' && key.startsWith(`c${index}.`) && (other === '' || other === id)
}

function inputOf(args: Json | undefined): string {
  if (args === undefined || args === null) return ''
  return typeof args === 'string' ? args : JSON.stringify(args)
}

const stopped = (native: string): readonly WireEvent[] => [
  { type: 'stop', reason: stops[native] ?? 'other', native },
  { type: 'complete' },
]

const stops: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
}

/** Chat Completions counts cached tokens as input; here they are separate. */
function tokensOf(usage: Fields): Tokens {
  const details = objectOf(usage, 'prompt_tokens_details')
  const cacheRead = numberOf(details, 'cached_tokens') || numberOf(usage, 'prompt_cache_hit_tokens')
  const input = Math.max(0, numberOf(usage, 'prompt_tokens') - cacheRead)
  return { input, output: numberOf(usage, 'completion_tokens'), cacheRead, cacheWrite: 0 }
}
