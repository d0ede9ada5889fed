import { asObject } from '../../../protocol/json.ts'
import type { FinishReason } from '../../../protocol/chunk.ts'
import type { Tokens } from '../../../protocol/data-parts.ts'
import { listOf, numberOf, objectOf, textOf, type Fields } from '../../kit/fields.ts'
import type { WireEvent, WireState } from './wire-event.ts'

type Reader = (event: Fields, state: WireState) => readonly WireEvent[]

const readers: Readonly<Record<string, Reader>> = {
  message_start: (event, { isStarted }) => (isStarted ? [] : begun(objectOf(event, 'message'))),
  content_block_start: event =>
    blockBegun(String(numberOf(event, 'index')), objectOf(event, 'content_block')),
  content_block_delta: (event, state) =>
    delta(String(numberOf(event, 'index')), objectOf(event, 'delta'), state),
  content_block_stop: (event, state) => blockEnded(String(numberOf(event, 'index')), state),
  message_delta: messageDelta,
  message_stop: () => [{ type: 'complete' }],
  error: event => {
    const error = objectOf(event, 'error')
    return [{ type: 'error', kind: textOf(error, 'type'), message: textOf(error, 'message') }]
  },
  ping: () => [],
}

/** Reads an event of Anthropic's Messages API. */
export function readAnthropicMessages(state: WireState, event: Fields): readonly WireEvent[] {
  const kind = textOf(event, 'type')
  const reader = Object.hasOwn(readers, kind) ? readers[kind] : undefined
  return reader ? reader(event, state) : [{ type: 'unknown', kind, native: event }]
}

function begun(message: Fields): readonly WireEvent[] {
  const model = textOf(message, 'model')
  return [
    ...(model === '' ? [] : [{ type: 'model', model } as const]),
    { type: 'usage', tokens: tokensOf(objectOf(message, 'usage')) },
    ...listOf(message, 'content').flatMap((block, at) => wholeBlock(`first.${at}`, asObject(block))),
  ]
}

/** A block that does not come piece by piece. */
function wholeBlock(key: string, block: Fields): readonly WireEvent[] {
  const events = blockBegun(key, block)
  const isOpen = events.some(({ type }) => type === 'text' || type === 'thinking')
  return isOpen ? [...events, { type: 'end', key }] : events
}

function blockBegun(key: string, block: Fields): readonly WireEvent[] {
  const kind = textOf(block, 'type')
  if (kind === 'text') return [{ type: 'text', key, delta: textOf(block, 'text') }]
  if (kind === 'thinking') return [{ type: 'thinking', key, delta: textOf(block, 'thinking') }]
  if (kind === 'redacted_thinking')
    return [{ type: 'sealed', key, seal: { anthropic: { redactedData: textOf(block, 'data') } } }]
  if (kind.endsWith('tool_use')) return callBegun(key, kind, block)
  if (kind.endsWith('_tool_result')) return [resultOf(block)]
  return [{ type: 'unknown', kind, native: block }]
}

function callBegun(key: string, kind: string, block: Fields): readonly WireEvent[] {
  const id = textOf(block, 'id')
  const tool = textOf(block, 'name')
  const input = objectOf(block, 'input')
  const theirs = kind === 'tool_use' ? {} : { isTheirs: true }
  const call: WireEvent = { type: 'call', key, id, tool, ...theirs }
  if (Object.keys(input).length === 0) return [call]
  return [call, { type: 'call-ready', key, id, tool, input, ...theirs }]
}

function resultOf(block: Fields): WireEvent {
  const content = block['content'] ?? null
  const isError = block['is_error'] === true || textOf(asObject(content), 'type').endsWith('_error')
  return { type: 'their-result', call: textOf(block, 'tool_use_id'), output: content, isError }
}

type DeltaReader = (key: string, fields: Fields) => readonly WireEvent[]

const deltas: Readonly<Record<string, DeltaReader>> = {
  text_delta: (key, fields) => [{ type: 'text', key, delta: textOf(fields, 'text') }],
  thinking_delta: (key, fields) => [{ type: 'thinking', key, delta: textOf(fields, 'thinking') }],
  signature_delta: (key, fields) => [
    { type: 'end', key, seal: { anthropic: { signature: textOf(fields, 'signature') } } },
  ],
  input_json_delta: (key, fields) => [{ type: 'call-input', key, delta: textOf(fields, 'partial_json') }],
  citations_delta: (_, fields) => sourceOf(objectOf(fields, 'citation')),
}

function delta(key: string, fields: Fields, { open }: WireState): readonly WireEvent[] {
  const kind = textOf(fields, 'type')
  const reader = Object.hasOwn(deltas, kind) ? deltas[kind] : undefined
  if (reader) return reader(key, fields)
  // The deltas of an unknown block were shown with its beginning.
  return open.has(key) ? [{ type: 'unknown', kind, native: fields }] : []
}

function sourceOf(citation: Fields): readonly WireEvent[] {
  const url = textOf(citation, 'url')
  return url === '' ? [] : [{ type: 'source', url, title: textOf(citation, 'title') || null }]
}

function blockEnded(key: string, { open }: WireState): readonly WireEvent[] {
  const piece = open.get(key)
  if (piece === undefined) return []
  if (piece.kind !== 'call') return [{ type: 'end', key }]
  const theirs = piece.isTheirs ? { isTheirs: true } : {}
  return [{ type: 'call-ready', key, id: piece.id, tool: piece.tool, ...theirs }]
}

function messageDelta(event: Fields): readonly WireEvent[] {
  const native = textOf(objectOf(event, 'delta'), 'stop_reason')
  const usage = objectOf(event, 'usage')
  return [
    ...(Object.keys(usage).length === 0 ? [] : [{ type: 'usage', tokens: tokensOf(usage) } as const]),
    ...(native === '' ? [] : [{ type: 'stop', reason: stops[native] ?? 'other', native } as const]),
  ]
}

const stops: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content-filter',
  pause_turn: 'other',
}

const tokensOf = (usage: Fields): Tokens => ({
  input: numberOf(usage, 'input_tokens'),
  output: numberOf(usage, 'output_tokens'),
  cacheRead: numberOf(usage, 'cache_read_input_tokens'),
  cacheWrite: numberOf(usage, 'cache_creation_input_tokens'),
})
