import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Place } from '../codec.ts'
import { contentOf } from '../content/tool-value.ts'
import type { CallPart, ContentPart, FilePart, Part, ResultPart, Seal } from '../conversation.ts'
import { listAt, objectAt, textAt } from '../look.ts'
import { parseValue } from './response-value.ts'
import { spelled } from './spelled.ts'

const format = 'gemini'

/** Google's value for a call that no Gemini model made: its signature is not checked. */
export const noSignature = 'skip_thought_signature_validator'

/** Parses a Gemini part. */
export function parse(json: Json, place: Place): readonly [Part] {
  return [{ ...parsePart(json, place), native: { format, json } }]
}

function parsePart(native: Json, place: Place): Part {
  const { id } = place
  const json = spelled(native)
  if (!isObject(json)) return { id, kind: 'unknown', name: 'not-a-part' }
  const part =
    parseText(json, id) ?? parseFile(json, id) ?? parseCall(json, place) ?? parseResult(json, id, place)
  return part === undefined
    ? { id, kind: 'unknown', name: Object.keys(json)[0] ?? 'empty' }
    : { ...part, ...sealOf(json) }
}

function sealOf(json: JsonObject): { readonly seal?: Seal } {
  const signature = textAt(json, 'thoughtSignature')
  return signature === undefined || signature === noSignature
    ? {}
    : { seal: { provider: 'google', signature } }
}

function parseText(json: JsonObject, id: string): Part | undefined {
  const text = textAt(json, 'text')
  if (text === undefined) return undefined
  return json['thought'] === true ? { id, kind: 'reasoning', text } : { id, kind: 'text', text }
}

function parseFile(json: JsonObject, id: string): FilePart | undefined {
  const inline = objectAt(json, 'inlineData')
  const linked = objectAt(json, 'fileData')
  const data = textAt(inline, 'data')
  const url = textAt(linked, 'fileUri')
  const name = textAt(inline, 'displayName') ?? textAt(linked, 'displayName')
  const named = name === undefined ? {} : { name }
  const mediaType = textAt(inline, 'mimeType') ?? textAt(linked, 'mimeType') ?? 'application/octet-stream'
  if (data !== undefined) return { id, kind: 'file', mediaType, source: { data }, ...named }
  return url === undefined ? undefined : { id, kind: 'file', mediaType, source: { url }, ...named }
}

function parseCall(json: JsonObject, { id, call }: Place): CallPart | undefined {
  const asked = objectAt(json, 'functionCall')
  const tool = textAt(asked, 'name')
  if (tool === undefined) return undefined
  // Most Gemini models give calls no id: it is made from the position.
  const named = textAt(asked, 'id') ?? call ?? `call_${id.replace(/[^A-Za-z0-9]/g, '_')}`
  return { id, kind: 'call', call: named, tool, input: asked['args'] ?? {} }
}

function parseResult(json: JsonObject, id: string, { call }: Place): ResultPart | undefined {
  const answer = objectAt(json, 'functionResponse')
  const tool = textAt(answer, 'name')
  if (tool === undefined) return undefined
  const { value, isError } = parseValue(objectAt(answer, 'response'))
  const words = contentOf(value, id)
  const files = listAt(answer, 'parts').map((part, at) => parseContent(part, `${id}.${words.length + at}`))
  const named = textAt(answer, 'id') ?? call ?? `call_${id.replace(/[^A-Za-z0-9]/g, '_')}`
  return { id, kind: 'result', call: named, tool, content: [...words, ...files], isError }
}

/** A file in the result of a tool. */
export function parseContent(json: Json, id: string): ContentPart {
  const native = { format, json } as const
  const object = spelled(json)
  const file = isObject(object) ? parseFile(object, id) : undefined
  return file ? { ...file, native } : { id, kind: 'unknown', name: 'unknown', native }
}
