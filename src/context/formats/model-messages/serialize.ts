import type { Json } from '../../../protocol/json.ts'
import { valueOf } from '../content/tool-value.ts'
import type { CallPart, ContentPart, FilePart, Part, ResultPart } from '../conversation.ts'
import { isExact, isLocal } from '../file-source.ts'
import { fields, present } from '../look.ts'
import { saidSeal } from '../ui-messages/seal.ts'

/** One part of an AI SDK model message. */
export function serialize(part: Part): Json | null {
  switch (part.kind) {
    case 'text':
      return fields({ type: 'text', text: part.text, providerOptions: saidSeal(part.seal) })
    case 'reasoning':
      return fields({ type: 'reasoning', text: part.text, providerOptions: saidSeal(part.seal) })
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
  const providerOptions = saidSeal(seal)
  if ('text' in source) return fields({ type: 'text', text: source.text, providerOptions })
  if ('reference' in source || ('data' in source && !isExact(mediaType))) return null
  // What could not be read as data is no address either.
  if ('url' in source && isLocal.test(source.url)) return null
  const data = 'data' in source ? source.data : source.url
  return fields({ type: 'file', data, mediaType, filename: name, providerOptions })
}

const saidCall = ({ call, tool, input, seal }: CallPart): Json =>
  fields({ type: 'tool-call', toolCallId: call, toolName: tool, input, providerOptions: saidSeal(seal) })

const saidResult = ({ call, tool, content, isError }: ResultPart): Json => ({
  type: 'tool-result',
  toolCallId: call,
  toolName: tool ?? 'unknown',
  output: outputOf(content, isError),
})

function outputOf(content: readonly ContentPart[], isError: boolean): Json {
  const isPlain = content.every(({ kind }) => kind !== 'file')
  const value = isPlain || isError ? (valueOf(content) ?? '') : undefined
  if (value === undefined) return { type: 'content', value: present(content.map(serializeContent)) }
  const kind = typeof value === 'string' ? 'text' : 'json'
  return { type: isError ? `error-${kind}` : kind, value }
}

function serializeContent(part: ContentPart): Json | null {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'json':
      return { type: 'text', text: JSON.stringify(part.value) }
    case 'file':
      return saidOutputFile(part)
    case 'unknown':
      return null
  }
}

function saidOutputFile({ mediaType, source, name }: FilePart): Json | null {
  if ('text' in source) return { type: 'text', text: source.text }
  if ('url' in source)
    return isLocal.test(source.url) ? null : { type: 'file-url', url: source.url, mediaType }
  return 'data' in source ? fields({ type: 'file-data', data: source.data, mediaType, filename: name }) : null
}
