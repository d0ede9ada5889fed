import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Role } from '../conversation.ts'
import { images, isSecure } from '../file-source.ts'
import { isList, objectAt, textAt } from '../look.ts'

/** What Anthropic accepts as the name of a tool. */
export const toolName = /^[A-Za-z0-9_-]{1,128}$/

/** Whether Anthropic accepts a content block of a role, or a string in place of one. */
export const isSound = (json: Json, role: Role): boolean =>
  typeof json === 'string' ? json.trim() !== '' : faultOf(json, role) === null

/** Whether it accepts a block of the result of a tool, or a string in place of one. */
export const isSoundInside = (json: Json): boolean =>
  typeof json === 'string' ? json.trim() !== '' : innerFault(json) === null

/** Why Anthropic refuses a content block of a role; null when it does not, or when it may know more kinds than we do. */
export function faultOf(block: Json, role: Role): string | null {
  if (!isObject(block)) return 'is not an object'
  const type = textAt(block, 'type')
  if (type === undefined) return 'has no type'
  if (role === 'system' && type !== 'text') return `is of type ${type} in a system prompt`
  return faults.get(type)?.(block, role) ?? null
}

const faults = new Map<string, (block: JsonObject, role: Role) => string | null>([
  ['text', textFault],
  ['thinking', thinkingFault],
  ['redacted_thinking', redactedFault],
  ['image', imageFault],
  ['document', documentFault],
  ['tool_use', callFault],
  ['tool_result', resultFault],
])

function textFault({ text }: JsonObject): string | null {
  if (typeof text !== 'string') return 'is a blank text'
  return text.trim() === '' ? 'is an empty text' : null
}

function thinkingFault(block: JsonObject, role: Role): string | null {
  const { thinking, signature } = block
  if (role !== 'assistant') return 'is thinking, but not from the assistant'
  if (isMarked(block)) return 'is thinking with a cache mark'
  if (typeof thinking !== 'string') return 'is empty thinking'
  return typeof signature === 'string' && signature !== '' ? null : 'is thinking without a signature'
}

function redactedFault(block: JsonObject, role: Role): string | null {
  if (role !== 'assistant') return 'is thinking, but not from the assistant'
  if (isMarked(block)) return 'is thinking with a cache mark'
  return typeof block['data'] === 'string' ? null : 'is redacted thinking without data'
}

const isMarked = (block: JsonObject) => (block['cache_control'] ?? null) !== null

function imageFault(block: JsonObject, role: Role): string | null {
  if (role === 'assistant') return 'is an image from the assistant'
  const source = objectAt(block, 'source')
  if (source['type'] === 'base64' && !images.test(textAt(source, 'media_type') ?? ''))
    return `is an image of the type ${textAt(source, 'media_type') ?? 'unknown'}`
  if (isOutOfReach(source)) return 'is of type image, but not at an https URL'
  return isSource(source) ? null : 'is an image without a source'
}

function documentFault(block: JsonObject, role: Role): string | null {
  if (role === 'assistant') return 'is a document from the assistant'
  const source = objectAt(block, 'source')
  if (isOutOfReach(source)) return 'is of type document, but not at an https URL'
  return isSource(source) ? null : 'is a document without a source'
}

/** Whether a file is at an address from which Anthropic does not fetch. */
function isOutOfReach({ type, url }: JsonObject): boolean {
  return type === 'url' && typeof url === 'string' && !isSecure(url)
}

function isSource(source: JsonObject): boolean {
  const type = textAt(source, 'type')
  switch (type) {
    case 'base64':
      return typeof source['media_type'] === 'string' && typeof source['data'] === 'string'
    case 'text':
      return typeof source['data'] === 'string'
    case 'url':
      return isSecure(textAt(source, 'url') ?? '')
    case 'file':
      return typeof source['file_id'] === 'string'
    case undefined:
    default:
      return type !== undefined
  }
}

function callFault(block: JsonObject): string | null {
  if (!isObject(block['input']) || ![block['id'], block['name']].every(name => typeof name === 'string'))
    return 'is a call without an id, a name or an object as input'
  return toolName.test(textAt(block, 'name') ?? '') ? null : 'calls a tool whose name is not allowed'
}

function resultFault({ tool_use_id: call, content }: JsonObject): string | null {
  if (typeof call !== 'string') return 'is a result without a call'
  if (content === undefined || content === null || typeof content === 'string') return null
  if (!isList(content)) return 'is a result that is neither a text nor a list'
  const inner = content.map(innerFault)
  const at = inner.findIndex(fault => fault !== null)
  return at === -1 ? null : `is a result whose block ${at} ${inner[at] ?? ''}`
}

const outside = ['tool_use', 'tool_result', 'server_tool_use', 'thinking', 'redacted_thinking']

function innerFault(block: Json): string | null {
  const type = textAt(block, 'type') ?? ''
  if (outside.includes(type)) return `is of type ${type}`
  const text = textAt(block, 'text')
  // It is not documented whether white space alone is refused here, too.
  if (type === 'text' && text !== undefined) return text === '' ? 'is an empty text' : null
  return faultOf(block, 'user')
}
