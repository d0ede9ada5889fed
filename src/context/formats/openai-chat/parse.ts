import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Place } from '../codec.ts'
import type { CallPart, ContentPart, FilePart, Part, ResultPart } from '../conversation.ts'
import { fromAddress } from '../file-source.ts'
import { isList, objectAt, parsed, textAt } from '../look.ts'
import { idAt, isOldCall, isOldResult } from './old-calls.ts'

const format = 'openai-chat'

/** Keys of an assistant message, outside of its content, that are words. */
export const wordKeys = ['refusal', 'reasoning_content', 'reasoning'] as const

/** The part that a piece of a message says: a content part, a tool call, a whole tool message, or `{ refusal }`. */
export function parse(json: Json, place: Place): readonly [Part] {
  return [{ ...heard(json, place), native: { format, json } }]
}

function heard(json: Json, place: Place): Part {
  const { id } = place
  if (typeof json === 'string') return { id, kind: 'text', text: json }
  if (!isObject(json)) return { id, kind: 'unknown', name: 'not-a-part' }
  return (
    heardResult(json, place) ??
    heardOldCall(json, place) ??
    heardCall(json, id) ??
    heardText(json, id) ??
    heardFile(json, id) ?? { id, kind: 'unknown', name: textAt(json, 'type') ?? 'unknown' }
  )
}

function heardText(json: JsonObject, id: string): Part | undefined {
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

function heardFile(json: JsonObject, id: string): FilePart | undefined {
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
  return type === 'file' ? heardDocument(objectAt(json, 'file'), id) : undefined
}

function heardDocument(file: JsonObject, id: string): FilePart | undefined {
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

function heardCall(json: JsonObject, id: string): CallPart | undefined {
  const call = textAt(json, 'id')
  const isCustom = json['type'] === 'custom'
  const asked = objectAt(json, isCustom ? 'custom' : 'function')
  const tool = textAt(asked, 'name')
  const given = isCustom ? parseRaw(asked['input']) : parseArguments(asked['arguments'])
  if (call === undefined || tool === undefined || given === undefined) return undefined
  return { id, kind: 'call', call, tool, ...given }
}

function heardOldCall(json: JsonObject, { id, call }: Place): Part | undefined {
  if (!isOldCall(json)) return undefined
  const asked = objectAt(json, 'function_call')
  const tool = textAt(asked, 'name')
  const given = parseArguments(asked['arguments'])
  if (tool === undefined || given === undefined) return { id, kind: 'unknown', name: 'function_call' }
  return { id, kind: 'call', call: call ?? idAt(id), tool, ...given }
}

/** What a custom tool is asked with is a text, whatever it looks like. */
export const parseRaw = (
  input: Json | undefined,
): Pick<CallPart, 'input' | 'inputText' | 'isCustom'> | undefined =>
  typeof input === 'string' ? { input, inputText: input, isCustom: true } : undefined

/** What a call is asked with: a text, as the endpoint wants it, or the object that some programs leave there. */
export function parseArguments(given: Json | undefined): Pick<CallPart, 'input' | 'inputText'> | undefined {
  if (typeof given === 'string') return { input: heardInput(given), inputText: given }
  if (given === undefined) return { input: {} }
  return isObject(given) ? { input: given } : undefined
}

/** Arguments as a value: nothing is no arguments, and broken text stays text. */
const heardInput = (text: string): Json => (text.trim() === '' ? {} : (parsed(text) ?? text))

function heardResult(json: JsonObject, place: Place): ResultPart | undefined {
  const { id, toolOf } = place
  const call = isOldResult(json) ? (place.call ?? idAt(id)) : textAt(json, 'tool_call_id')
  if ((json['role'] !== 'tool' && !isOldResult(json)) || call === undefined) return undefined
  const content = json['content']
  const pieces = isList(content) ? content : content === undefined || content === null ? [] : [content]
  return {
    id,
    kind: 'result',
    call,
    tool: (isOldResult(json) ? textAt(json, 'name') : undefined) ?? toolOf?.(call) ?? null,
    content: pieces.map((piece, at) => parseContent(piece, `${id}.${at}`)),
    isError: false,
  }
}

/** One piece of a tool's answer. */
export function parseContent(json: Json, id: string): ContentPart {
  const part = heard(json, { id, role: 'tool' })
  const native = { format, json } as const
  return part.kind === 'text' || part.kind === 'file'
    ? { ...part, native }
    : { id, kind: 'unknown', name: textAt(json, 'type') ?? 'unknown', native }
}
