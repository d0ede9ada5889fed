import type { Json } from '../../../protocol/json.ts'
import { valueOf } from '../content/tool-value.ts'
import type {
  CallPart,
  ContentPart,
  FilePart,
  JsonPart,
  Part,
  ResultPart,
  TextPart,
} from '../conversation.ts'
import { isExact, isLocal } from '../file-source.ts'
import { fields, present } from '../look.ts'
import { serializePart, serializePiece, type PartSerializers } from '../serializers.ts'
import { serializeSeal } from '../ui-messages/seal.ts'

/** One part of an AI SDK model message, which is the same for every role. */
export const serialize = (part: Part): Json | null => serializePart(parts, part, 'assistant')

const parts: PartSerializers = {
  text: ({ text, seal }) => fields({ type: 'text', text, providerOptions: serializeSeal(seal) }),
  reasoning: ({ text, seal }) => fields({ type: 'reasoning', text, providerOptions: serializeSeal(seal) }),
  file: serializeFile,
  call: serializeCall,
  result: serializeResult,
}

function serializeFile({ mediaType, source, name, seal }: FilePart): Json | null {
  const providerOptions = serializeSeal(seal)
  if ('text' in source) return fields({ type: 'text', text: source.text, providerOptions })
  if ('reference' in source || ('data' in source && !isExact(mediaType))) return null
  // Data that could not be parsed is not an address either.
  if ('url' in source && isLocal.test(source.url)) return null
  const data = 'data' in source ? source.data : source.url
  return fields({ type: 'file', data, mediaType, filename: name, providerOptions })
}

function serializeCall({ call, tool, input, seal }: CallPart): Json {
  const providerOptions = serializeSeal(seal)
  return fields({ type: 'tool-call', toolCallId: call, toolName: tool, input, providerOptions })
}

function serializeResult({ call, tool, content, isError }: ResultPart): Json {
  const output = outputOf(content, isError)
  return { type: 'tool-result', toolCallId: call, toolName: tool ?? 'unknown', output }
}

function outputOf(content: readonly ContentPart[], isError: boolean): Json {
  const isPlain = content.every(({ kind }) => kind !== 'file')
  const value = isPlain || isError ? (valueOf(content) ?? '') : undefined
  if (value === undefined)
    return { type: 'content', value: present(content.map(part => serializePiece(pieces, part))) }
  const kind = typeof value === 'string' ? 'text' : 'json'
  return { type: isError ? `error-${kind}` : kind, value }
}

const pieces = {
  text: ({ text }: TextPart): Json => ({ type: 'text', text }),
  json: ({ value }: JsonPart): Json => ({ type: 'text', text: JSON.stringify(value) }),
  file: serializeOutputFile,
}

function serializeOutputFile({ mediaType, source, name }: FilePart): Json | null {
  if ('text' in source) return { type: 'text', text: source.text }
  if ('url' in source)
    return isLocal.test(source.url) ? null : { type: 'file-url', url: source.url, mediaType }
  return 'data' in source ? fields({ type: 'file-data', data: source.data, mediaType, filename: name }) : null
}
