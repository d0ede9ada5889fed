import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Place } from '../codec.ts'
import type { CallPart, FilePart, Part, ResultPart } from '../conversation.ts'
import { fromAddress } from '../file-source.ts'
import { objectAt, parsed, textAt } from '../look.ts'
import { createParser, piecesOf } from '../part-parser.ts'
import { idAt, isOldCall, isOldResult } from './old-calls.ts'

/** Keys of an assistant message, outside of its content, that have text. */
export const wordKeys = ['refusal', 'reasoning_content', 'reasoning'] as const

/** The part of a piece of a message: a content part, a tool call, a whole tool message, or `{ refusal }`. */
export const { parse, parseContent } = createParser('openai-chat', (json, place) => {
  const { id } = place
  return (
    parseResult(json, place) ??
    parseOldCall(json, place) ??
    parseCall(json, id) ??
    parseText(json, id) ??
    parseFile(json, id)
  )
})

function parseText(json: JsonObject, id: string): Part | undefined {
  const type = textAt(json, 'type')
  const text = textAt(json, 'text')
  const refusal = textAt(json, 'refusal')
  const thought =
    type === undefined ? (textAt(json, 'reasoning_content') ?? textAt(json, 'reasoning')) : undefined
  if (thought !== undefined) return { id, kind: 'reasoning', text: thought }
  if (type === 'text' && text !== undefined) return { id, kind: 'text', text }
  if ((type === 'refusal' || type === undefined) && refusal !== undefined)
    return { id, kind: 'text', text: refusal, isRefusal: true }
  return undefined
}

function parseFile(json: JsonObject, id: string): FilePart | undefined {
  const type = textAt(json, 'type')
  // Some write the address where the endpoint wants an object.
  const url = textAt(json, 'image_url') ?? textAt(objectAt(json, 'image_url'), 'url')
  const detail = textAt(objectAt(json, 'image_url'), 'detail')
  if (type === 'image_url' && url !== undefined)
    return { id, kind: 'file', ...fromAddress(url, 'image/*'), ...(detail !== undefined && { detail }) }
  const audio = objectAt(json, 'input_audio')
  const data = textAt(audio, 'data')
  const kind = textAt(audio, 'format')
  if (type === 'input_audio' && data !== undefined && kind !== undefined)
    return { id, kind: 'file', mediaType: `audio/${kind}`, source: { data } }
  return type === 'file' ? parseDocument(objectAt(json, 'file'), id) : undefined
}

function parseDocument(file: JsonObject, id: string): FilePart | undefined {
  const name = textAt(file, 'filename')
  const data = textAt(file, 'file_data')
  const reference = textAt(file, 'file_id')
  const named = name === undefined ? {} : { name }
  if (data !== undefined) return { id, kind: 'file', ...fromAddress(data, 'application/pdf'), ...named }
  if (reference === undefined) return undefined
  return {
    id,
    kind: 'file',
    mediaType: 'application/pdf',
    source: { reference, provider: 'openai' },
    ...named,
  }
}

function parseCall(json: JsonObject, id: string): CallPart | undefined {
  const call = textAt(json, 'id')
  const isCustom = json['type'] === 'custom'
  const asked = objectAt(json, isCustom ? 'custom' : 'function')
  const tool = textAt(asked, 'name')
  const given = isCustom ? parseRaw(asked['input']) : parseArguments(asked['arguments'])
  if (call === undefined || tool === undefined || given === undefined) return undefined
  return { id, kind: 'call', call, tool, ...given }
}

function parseOldCall(json: JsonObject, { id, call }: Place): Part | undefined {
  if (!isOldCall(json)) return undefined
  const asked = objectAt(json, 'function_call')
  const tool = textAt(asked, 'name')
  const given = parseArguments(asked['arguments'])
  if (tool === undefined || given === undefined) return { id, kind: 'unknown', name: 'function_call' }
  return { id, kind: 'call', call: call ?? idAt(id), tool, ...given }
}

/** The input of a custom tool is a text, whatever it looks like. */
export const parseRaw = (
  input: Json | undefined,
): Pick<CallPart, 'input' | 'inputText' | 'isCustom'> | undefined =>
  typeof input === 'string' ? { input, inputText: input, isCustom: true } : undefined

/** The input of a call: a text, as the endpoint requires it, or the object that some programs write. */
export function parseArguments(given: Json | undefined): Pick<CallPart, 'input' | 'inputText'> | undefined {
  if (typeof given === 'string') return { input: parseInput(given), inputText: given }
  if (given === undefined) return { input: {} }
  return isObject(given) ? { input: given } : undefined
}

/** Arguments as a value: an empty text means no arguments, and invalid JSON stays a text. */
const parseInput = (text: string): Json => (text.trim() === '' ? {} : (parsed(text) ?? text))

function parseResult(json: JsonObject, place: Place): ResultPart | undefined {
  const { id, toolOf } = place
  const call = isOldResult(json) ? (place.call ?? idAt(id)) : textAt(json, 'tool_call_id')
  if ((json['role'] !== 'tool' && !isOldResult(json)) || call === undefined) return undefined
  return {
    id,
    kind: 'result',
    call,
    tool: (isOldResult(json) ? textAt(json, 'name') : undefined) ?? toolOf?.(call) ?? null,
    content: piecesOf(json['content']).map((piece, at) => parseContent(piece, `${id}.${at}`)),
    isError: false,
  }
}
