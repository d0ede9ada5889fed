import type { Chunk } from '../../protocol/chunk.ts'
import type { Json } from '../../protocol/json.ts'
import { createPartPlaces } from '../../protocol/part-places.ts'

/** Longer outputs are shortened before they are sent, in bytes of JSON. */
export const longOutput = 64 << 10

/** Shortens a long output and marks it. `seq` is the entry with the complete output. */
export type Shorten = (chunk: Chunk, seq: number) => readonly Chunk[]

type OutputChunk = Extract<Chunk, { readonly type: 'tool-output-available' | 'tool-output-error' }>

/** Shortens the outputs of a stream of messages. */
export function createShorten(): Shorten {
  const places = createPartPlaces()
  let message = ''
  const marked = new Set<string>()
  return (chunk, seq) => {
    places.count(chunk)
    if (chunk.type === 'start' && chunk.messageId !== message) {
      message = chunk.messageId
      marked.clear()
    }
    if (chunk.type === 'data-retracted') return [places.translate(chunk)]
    if (chunk.type !== 'tool-output-available' && chunk.type !== 'tool-output-error') return [chunk]
    const short = shortened(chunk)
    if (short === null) return [chunk]
    if (chunk.type === 'tool-output-available' && chunk.preliminary === true) return [short.chunk]
    const { toolCallId } = chunk
    if (!marked.has(toolCallId)) places.inserted()
    marked.add(toolCallId)
    return [
      short.chunk,
      { type: 'data-shortened', id: toolCallId, data: { toolCallId, bytes: short.bytes, seq } },
    ]
  }
}

function shortened(chunk: OutputChunk): { readonly chunk: Chunk; readonly bytes: number } | null {
  const bytes = bytesOf(chunk.type === 'tool-output-error' ? chunk.errorText : chunk.output)
  if (bytes <= longOutput) return null
  return {
    chunk:
      chunk.type === 'tool-output-error'
        ? { ...chunk, errorText: shorten(chunk.errorText, cutText) }
        : { ...chunk, output: shorten(chunk.output, cut) },
    bytes,
  }
}

function bytesOf(value: Json): number {
  // A character is at most six bytes of JSON.
  if (typeof value === 'string' && value.length < longOutput / 6) return 0
  return Buffer.byteLength(JSON.stringify(value))
}

/** How much of each text and list to keep, in characters and items, from most to least. */
const measures: readonly (readonly [characters: number, items: number])[] = [
  [32_000, 2000],
  [8000, 500],
  [1000, 100],
  [125, 20],
]

/** Cuts until it is short enough. If nothing is left to cut, the JSON becomes a text. */
function shorten<Value extends Json>(
  value: Value,
  cutTo: (value: Value, characters: number, items: number) => Value,
): Value | string {
  for (const [characters, items] of measures) {
    const short = cutTo(value, characters, items)
    if (bytesOf(short) <= longOutput) return short
  }
  return cutText(JSON.stringify(value), 8000)
}

function cut(value: Json, characters: number, items: number): Json {
  if (typeof value === 'string') return cutText(value, characters)
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) {
    const kept = value.slice(0, items).map(each => cut(each, characters, items))
    return value.length > items ? [...kept, `… ${value.length - items} more`] : kept
  }
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, items)
      .map(([key, each]) => [key, cut(each, characters, items)]),
  )
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text
  const isPair = /[\ud800-\udbff]/.test(text.charAt(characters - 1))
  const kept = text.slice(0, isPair ? characters - 1 : characters)
  return `${kept}\n… ${text.length - kept.length} more characters`
}
