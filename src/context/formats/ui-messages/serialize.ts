import type { Json } from '../../../protocol/json.ts'
import { valueOf } from '../content/tool-value.ts'
import type { CallPart, FilePart, Part, ResultPart, Role } from '../conversation.ts'
import { addressOf } from '../file-source.ts'
import { fields } from '../look.ts'
import { serializePart, type PartSerializers } from '../serializers.ts'
import { serializeSeal } from './seal.ts'

/** One part of a UI message; of a result only the fields that it adds to its call. */
export const serialize = (part: Part, role: Role): Json | null => serializePart(parts, part, role)

const parts: PartSerializers = {
  text: ({ text, seal }) => fields({ type: 'text', text, providerMetadata: serializeSeal(seal) }),
  reasoning: ({ text, seal }, role) =>
    role === 'assistant' ? fields({ type: 'reasoning', text, providerMetadata: serializeSeal(seal) }) : null,
  file: serializeFile,
  call: serializeCall,
  result: serializeResult,
}

function serializeFile({ mediaType, source, name, seal }: FilePart): Json | null {
  if ('text' in source) return { type: 'text', text: source.text }
  const url = addressOf(source, mediaType)
  if (url === undefined) return null
  return fields({ type: 'file', mediaType, filename: name, url, providerMetadata: serializeSeal(seal) })
}

function serializeCall({ call, tool, input, isProviderExecuted, seal }: CallPart): Json {
  return fields({
    type: 'dynamic-tool',
    toolName: tool,
    toolCallId: call,
    state: 'input-available',
    input,
    providerExecuted: isProviderExecuted,
    callProviderMetadata: serializeSeal(seal),
  })
}

function serializeResult({ content, isError }: ResultPart): Json {
  const value = valueOf(content) ?? ''
  if (!isError) return { state: 'output-available', output: value }
  return { state: 'output-error', errorText: typeof value === 'string' ? value : JSON.stringify(value) }
}
