import { asObject, type Json } from '../../../protocol/json.ts'
import { readServerEvent } from '../../../protocol/server-sent-events.ts'
import type { Fields } from '../../kit/fields.ts'
import { parseJson } from '../../kit/parse-json.ts'
import { advanceWire } from './advance-wire.ts'
import { readAnthropicMessages } from './anthropic-messages.ts'
import { readGemini } from './gemini.ts'
import { endOpen, readOpenAiChat } from './openai-chat.ts'
import { readOpenAiResponses } from './openai-responses.ts'
import type { Api, WireEvent, WireState } from './wire-event.ts'

type Reader = (state: WireState, event: Fields) => readonly WireEvent[]

const readers: Readonly<Record<Api, Reader>> = {
  'anthropic-messages': readAnthropicMessages,
  'openai-responses': readOpenAiResponses,
  'openai-chat': readOpenAiChat,
  gemini: readGemini,
}

/** The data of one event of a model's stream; null for comments and for events without data. */
export function dataOf(event: string): string | null {
  return event.startsWith('{') ? event : (readServerEvent(event).data ?? null)
}

/** Reads one event of a model's stream as it was on the wire. Pure; never throws. */
export function readWire(state: WireState, block: string): readonly [WireState, readonly WireEvent[]] {
  const data = dataOf(block)
  if (data === null) return [state, []]
  if (data.trim() === '[DONE]') return finished(state)
  const value = parseJson(data)
  if (value === undefined) return [state, [{ type: 'unknown', kind: 'no-json', native: data.slice(0, 200) }]]
  const read = readers[state.api](state, asObject(value))
  const ends = read.some(({ type }) => type === 'complete')
  const events = ends ? [...read, ...endOpen(read.reduce(advanceWire, state))] : read
  return [events.reduce(advanceWire, state), events]
}

function finished(state: WireState): readonly [WireState, readonly WireEvent[]] {
  const events: readonly WireEvent[] = state.isComplete ? [] : [...endOpen(state), { type: 'complete' }]
  return [events.reduce(advanceWire, state), events]
}

/** The API that an event of a stream belongs to, by its shape; null for an unknown shape. */
export function apiOf(block: string): Api | null {
  const event = asObject(parseJson(dataOf(block) ?? ''))
  const type: Json = event['type'] ?? null
  if ('candidates' in event || 'usageMetadata' in event) return 'gemini'
  if ('choices' in event || event['object'] === 'chat.completion.chunk') return 'openai-chat'
  if (typeof type !== 'string') return null
  if (type.startsWith('response.')) return 'openai-responses'
  return /^(message|content_block)_/.test(type) ? 'anthropic-messages' : null
}
