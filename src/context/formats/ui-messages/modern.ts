import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { fields, isList, listAt, textAt, without } from '../look.ts'

/** The keys in which AI SDK 4 kept the content of a message. */
const oldKeys = ['content', 'reasoning', 'toolInvocations', 'experimental_attachments']

/** A message as AI SDK 5 and later write it: content that version 4 kept beside the parts is moved into parts. */
export function modern(message: JsonObject): JsonObject {
  const { parts } = message
  if (isList(parts)) return parts.some(isOld) ? { ...message, parts: parts.map(modernPart) } : message
  if (!oldKeys.some(key => key in message)) return message
  const reasoning = textAt(message, 'reasoning')
  const content = textAt(message, 'content')
  return {
    ...without(message, ...oldKeys),
    parts: [
      ...listAt(message, 'experimental_attachments').map(modernAttachment),
      ...(reasoning === undefined ? [] : [{ type: 'reasoning', text: reasoning }]),
      ...listAt(message, 'toolInvocations').map(modernCall),
      ...(content === undefined || content === '' ? [] : [{ type: 'text', text: content }]),
    ],
  }
}

const isOld = (part: Json) => modernPart(part) !== part

function modernPart(part: Json): Json {
  if (!isObject(part)) return part
  const type = part['type']
  if (type === 'tool-invocation' && isObject(part['toolInvocation']))
    return modernCall(part['toolInvocation'])
  if (type === 'reasoning' && textAt(part, 'text') === undefined && textAt(part, 'reasoning') !== undefined)
    return { type, text: textAt(part, 'reasoning') ?? '' }
  const { mimeType, data } = part
  return type === 'file' && typeof mimeType === 'string' && typeof data === 'string'
    ? { type, mediaType: mimeType, url: `data:${mimeType};base64,${data}` }
    : part
}

function modernAttachment(attachment: Json): Json {
  const url = textAt(attachment, 'url')
  if (url === undefined) return attachment
  const mediaType = textAt(attachment, 'contentType') ?? 'application/octet-stream'
  return fields({ type: 'file', mediaType, filename: textAt(attachment, 'name'), url })
}

function modernCall(invocation: Json): Json {
  const call = textAt(invocation, 'toolCallId')
  const tool = textAt(invocation, 'toolName')
  if (!isObject(invocation) || call === undefined || tool === undefined) return invocation
  const { args = {}, result, state } = invocation
  const named = { type: `tool-${tool}`, toolCallId: call }
  if (state === 'result') return { ...named, state: 'output-available', input: args, output: result ?? null }
  return { ...named, state: state === 'partial-call' ? 'input-streaming' : 'input-available', input: args }
}
