import type { Json } from '../../../protocol/json.ts'
import { valueOf } from '../content/tool-value.ts'
import type { CallPart, FilePart, Part, ResultPart, Role } from '../conversation.ts'
import { addressOf } from '../file-source.ts'
import { fields } from '../look.ts'
import { saidSeal } from './seal.ts'

/** One part of a UI message; of a result only the fields that it adds to its call. */
export function serialize(part: Part, role: Role): Json | null {
  switch (part.kind) {
    case 'text':
      return fields({ type: 'text', text: part.text, providerMetadata: saidSeal(part.seal) })
    case 'reasoning':
      return role === 'assistant'
        ? fields({ type: 'reasoning', text: part.text, providerMetadata: saidSeal(part.seal) })
        : null
    case 'file':
      return serializeFile(part)
    case 'call':
      return saidCall(part)
    case 'result':
      return saidResult(part)
    case 'unknown':
      return null
  }
}

function serializeFile({ mediaType, source, name, seal }: FilePart): Json | null {
  if ('text' in source) return { type: 'text', text: source.text }
  const url = addressOf(source, mediaType)
  if (url === undefined) return null
  return fields({ type: 'file', mediaType, filename: name, url, providerMetadata: saidSeal(seal) })
}

const saidCall = ({ call, tool, input, isProviderExecuted, seal }: CallPart): Json =>
  fields({
    type: 'dynamic-tool',
    toolName: tool,
    toolCallId: call,
    state: 'input-available',
    input,
    providerExecuted: isProviderExecuted,
    callProviderMetadata: saidSeal(seal),
  })

function saidResult({ content, isError }: ResultPart): Json {
  const value = valueOf(content) ?? ''
  if (!isError) return { state: 'output-available', output: value }
  return { state: 'output-error', errorText: typeof value === 'string' ? value : JSON.stringify(value) }
}
