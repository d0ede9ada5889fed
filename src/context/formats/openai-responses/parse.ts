import { isObject, type JsonObject } from '../../../protocol/json.ts'
import type { Place } from '../codec.ts'
import type { CallPart, FilePart, Part, ResultPart, Seal } from '../conversation.ts'
import { fromAddress } from '../file-source.ts'
import { listAt, textAt } from '../look.ts'
import { createParser, piecesOf } from '../part-parser.ts'
import { parseArguments, parseRaw } from '../openai-chat/parse.ts'

/** The part of an item, or of a content part of a message item. */
export const { parse, parseContent } = createParser('openai-responses', (json, place, type = '') => {
  const { id } = place
  return (
    parseText(json, type, id) ??
    parseFile(json, type, id) ??
    parseReasoning(json, type, id) ??
    parseCall(json, type, id) ??
    parseResult(json, type, place)
  )
})

function parseText(json: JsonObject, type: string, id: string): Part | undefined {
  const text = textAt(json, 'text')
  const refusal = textAt(json, 'refusal')
  if ((type === 'input_text' || type === 'output_text') && text !== undefined)
    return { id, kind: 'text', text }
  return type === 'refusal' && refusal !== undefined
    ? { id, kind: 'text', text: refusal, isRefusal: true }
    : undefined
}

function parseFile(json: JsonObject, type: string, id: string): FilePart | undefined {
  if (type !== 'input_image' && type !== 'input_file') return undefined
  const usual = type === 'input_image' ? 'image/*' : 'application/pdf'
  const name = textAt(json, 'filename')
  const reference = textAt(json, 'file_id')
  const address = textAt(json, 'image_url') ?? textAt(json, 'file_data') ?? textAt(json, 'file_url')
  const detail = type === 'input_image' ? textAt(json, 'detail') : undefined
  const named = { ...(name !== undefined && { name }), ...(detail !== undefined && { detail }) }
  if (address !== undefined) return { id, kind: 'file', ...fromAddress(address, usual), ...named }
  if (reference === undefined) return undefined
  return { id, kind: 'file', mediaType: usual, source: { reference, provider: 'openai' }, ...named }
}

function parseReasoning(json: JsonObject, type: string, id: string): Part | undefined {
  if (type !== 'reasoning') return undefined
  const texts = [...listAt(json, 'summary'), ...listAt(json, 'content')].map(
    piece => textAt(piece, 'text') ?? '',
  )
  return { id, kind: 'reasoning', text: texts.join('\n\n'), ...sealOf(json) }
}

function sealOf(json: JsonObject): { readonly seal?: Seal } {
  const item = textAt(json, 'id')
  const encrypted = textAt(json, 'encrypted_content')
  if (item === undefined && encrypted === undefined) return {}
  return {
    seal: {
      provider: 'openai',
      ...(item !== undefined && { item }),
      ...(encrypted !== undefined && { encrypted }),
    },
  }
}

function parseCall(json: JsonObject, type: string, id: string): CallPart | undefined {
  const call = textAt(json, 'call_id')
  const tool = textAt(json, 'name')
  if (type !== 'function_call' && type !== 'custom_tool_call') return undefined
  const given = type === 'custom_tool_call' ? parseRaw(json['input']) : parseArguments(json['arguments'])
  if (call === undefined || tool === undefined || given === undefined) return undefined
  return { id, kind: 'call', call, tool, ...given, ...sealOf(json) }
}

function parseResult(json: JsonObject, type: string, { id, toolOf }: Place): ResultPart | undefined {
  const call = textAt(json, 'call_id')
  if (type !== 'function_call_output' && type !== 'custom_tool_call_output') return undefined
  if (call === undefined) return undefined
  const output = json['output']
  return {
    id,
    kind: 'result',
    call,
    tool: toolOf?.(call) ?? null,
    content: isObject(output)
      ? [{ id: `${id}.0`, kind: 'json', value: output }]
      : piecesOf(output).map((piece, at) => parseContent(piece, `${id}.${at}`)),
    isError: false,
  }
}
