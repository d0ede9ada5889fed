import { asObject } from '../../../protocol/json.ts'
import type { ProviderMetadata } from '../../../protocol/chunk.ts'
import type { Tokens } from '../../../protocol/data-parts.ts'
import { listOf, numberOf, objectOf, textOf, without, type Fields } from '../../kit/fields.ts'
import type { WireEvent, WireState } from './wire-event.ts'

type Reader = (event: Fields, state: WireState) => readonly WireEvent[]

const textKey = (event: Fields) => `${numberOf(event, 'output_index')}.${numberOf(event, 'content_index')}`
const summaryKey = (event: Fields) =>
  `${numberOf(event, 'output_index')}.s${numberOf(event, 'summary_index')}`
const thoughtKey = (event: Fields) =>
  `${numberOf(event, 'output_index')}.r${numberOf(event, 'content_index')}`
const itemKey = (event: Fields) => String(numberOf(event, 'output_index'))

const readers: Readonly<Record<string, Reader>> = {
  'response.created': event => modelOf(objectOf(event, 'response')),
  'response.output_item.added': (event, state) => itemAdded(itemKey(event), objectOf(event, 'item'), state),
  'response.output_text.delta': event => [
    { type: 'text', key: textKey(event), delta: textOf(event, 'delta') },
  ],
  'response.refusal.delta': event => [{ type: 'text', key: textKey(event), delta: textOf(event, 'delta') }],
  'response.reasoning_summary_text.delta': event => [
    { type: 'thinking', key: summaryKey(event), delta: textOf(event, 'delta') },
  ],
  'response.reasoning_text.delta': event => [
    { type: 'thinking', key: thoughtKey(event), delta: textOf(event, 'delta') },
  ],
  'response.function_call_arguments.delta': inputDelta,
  'response.custom_tool_call_input.delta': inputDelta,
  'response.output_text.annotation.added': event => sourceOf(objectOf(event, 'annotation')),
  'response.output_item.done': (event, state) => itemDone(itemKey(event), objectOf(event, 'item'), state),
  'response.completed': event => ended(objectOf(event, 'response')),
  'response.incomplete': event => ended(objectOf(event, 'response')),
  'response.failed': event => failed(objectOf(objectOf(event, 'response'), 'error')),
  error: event => failed('error' in event ? objectOf(event, 'error') : event),
}

/** Repetitions or progress, which the finished item has whole. */
const silent =
  /^response\.(in_progress|queued|content_part\.|reasoning_summary_part\.|output_text\.done|refusal\.done|reasoning_(summary_)?text\.done|function_call_arguments\.done|custom_tool_call_input\.done|[a-z_]+_call(_arguments|_code|_command|_output_content)?\.|mcp_list_tools\.|[a-z_]*call_operation_diff\.)|^keepalive$/

/** Reads an event of OpenAI's Responses API. */
export function readOpenAiResponses(state: WireState, event: Fields): readonly WireEvent[] {
  const kind = textOf(event, 'type')
  const reader = Object.hasOwn(readers, kind) ? readers[kind] : undefined
  if (reader) return reader(event, state)
  return silent.test(kind) ? [] : [{ type: 'unknown', kind, native: event }]
}

function modelOf(response: Fields): readonly WireEvent[] {
  const model = textOf(response, 'model')
  return model === '' ? [] : [{ type: 'model', model }]
}

const isOurCall = (kind: string) => kind === 'function_call' || kind === 'custom_tool_call'

function itemAdded(key: string, item: Fields, { open }: WireState): readonly WireEvent[] {
  if (!isOurCall(textOf(item, 'type')) || open.has(key)) return []
  return [{ type: 'call', key, id: textOf(item, 'call_id'), tool: textOf(item, 'name') }]
}

function inputDelta(event: Fields, { open }: WireState): readonly WireEvent[] {
  const key = itemKey(event)
  return open.has(key) ? [{ type: 'call-input', key, delta: textOf(event, 'delta') }] : []
}

function itemDone(key: string, item: Fields, state: WireState): readonly WireEvent[] {
  const kind = textOf(item, 'type')
  const id = textOf(item, 'id')
  const seal: ProviderMetadata = { openai: { itemId: id } }
  if (kind === 'message') return messageDone(key, item, state, seal)
  if (kind === 'reasoning') return reasoningDone(key, item, state)
  if (isOurCall(kind)) {
    const named = { key, id: textOf(item, 'call_id'), tool: textOf(item, 'name'), seal }
    if (kind === 'custom_tool_call') return [{ type: 'call-ready', ...named, input: textOf(item, 'input') }]
    return [{ type: 'call-ready', ...named, inputText: textOf(item, 'arguments') }]
  }
  return theirsDone(key, kind, item)
}

/** Content that was not streamed comes with the end; streamed content is repeated. */
function messageDone(
  key: string,
  item: Fields,
  { open }: WireState,
  seal: ProviderMetadata,
): readonly WireEvent[] {
  return listOf(item, 'content').flatMap((each, at): readonly WireEvent[] => {
    const content = asObject(each)
    const piece = `${key}.${at}`
    const text = textOf(content, 'text') || textOf(content, 'refusal')
    const missing = open.has(piece) || text === '' ? [] : [{ type: 'text', key: piece, delta: text } as const]
    return [...missing, { type: 'end', key: piece, seal }]
  })
}

function reasoningDone(key: string, item: Fields, { open }: WireState): readonly WireEvent[] {
  const encrypted = textOf(item, 'encrypted_content')
  const seal = {
    openai: { itemId: textOf(item, 'id'), reasoningEncryptedContent: encrypted === '' ? null : encrypted },
  }
  const pieces = [...open.keys()].filter(each => each.startsWith(`${key}.`))
  if (pieces.length > 0) return pieces.map(piece => ({ type: 'end', key: piece, seal }))
  const summary = listOf(item, 'summary').map(each => textOf(asObject(each), 'text'))
  const texts = summary.filter(text => text !== '')
  if (texts.length === 0) return encrypted === '' ? [] : [{ type: 'sealed', key: `${key}.s0`, seal }]
  return texts.flatMap((delta, at) => [
    { type: 'thinking', key: `${key}.s${at}`, delta } as const,
    { type: 'end', key: `${key}.s${at}`, seal } as const,
  ])
}

const names = new Set(['type', 'id', 'status'])

/** A tool that the provider ran: its item is both the call and the result. */
function theirsDone(key: string, kind: string, item: Fields): readonly WireEvent[] {
  const id = textOf(item, 'id')
  if (!/_call$|_call_output$|_output$|^program|^mcp_/.test(kind))
    return [{ type: 'unknown', kind, native: item }]
  const input = without(item, new Set([...names, 'output', 'results', 'outputs', 'result']))
  const output = without(item, names)
  return [
    { type: 'call-ready', key, id, tool: kind, input, isTheirs: true },
    { type: 'their-result', call: id, output, isError: textOf(item, 'status') === 'failed' },
  ]
}

function sourceOf(annotation: Fields): readonly WireEvent[] {
  const url = textOf(annotation, 'url')
  return url === '' ? [] : [{ type: 'source', url, title: textOf(annotation, 'title') || null }]
}

function ended(response: Fields): readonly WireEvent[] {
  const why = textOf(objectOf(response, 'incomplete_details'), 'reason')
  const hasCalls = listOf(response, 'output').some(item => isOurCall(textOf(asObject(item), 'type')))
  const usage = objectOf(response, 'usage')
  return [
    ...(Object.keys(usage).length === 0 ? [] : [{ type: 'usage', tokens: tokensOf(usage) } as const]),
    {
      type: 'stop',
      reason: why === '' ? (hasCalls ? 'tool-calls' : 'stop') : reasonOf(why),
      native: why || textOf(response, 'status'),
    },
    { type: 'complete' },
  ]
}

function reasonOf(why: string): 'length' | 'content-filter' | 'other' {
  if (why === 'max_output_tokens') return 'length'
  return why === 'content_filter' ? 'content-filter' : 'other'
}

function failed(error: Fields): readonly WireEvent[] {
  const kind = textOf(error, 'code') || textOf(error, 'type') || 'error'
  return [{ type: 'error', kind, message: textOf(error, 'message') }]
}

/** The Responses API counts cached tokens as input; here they are separate. */
function tokensOf(usage: Fields): Tokens {
  const details = objectOf(usage, 'input_tokens_details')
  const cacheRead = numberOf(details, 'cached_tokens')
  const cacheWrite = numberOf(details, 'cache_write_tokens')
  const input = Math.max(0, numberOf(usage, 'input_tokens') - cacheRead - cacheWrite)
  return { input, output: numberOf(usage, 'output_tokens'), cacheRead, cacheWrite }
}
