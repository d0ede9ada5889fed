import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { isOnline } from '../file-source.ts'
import { objectAt, textAt } from '../look.ts'

/** What OpenAI accepts as the name of a tool. */
export const toolName = /^[A-Za-z0-9_-]{1,64}$/

/** Whether OpenAI can read an address: it fetches it, or the address contains the file. */
export const isVisible = (address: string): boolean => isOnline(address) || /^data:/i.test(address)

/** Kinds of content parts that only one role has. */
const owners = new Map([
  ['image_url', 'user'],
  ['input_audio', 'user'],
  ['file', 'user'],
  ['refusal', 'assistant'],
])

/** Why the endpoint refuses a content part of a role; null when it does not, or when it may know more kinds than we do. */
export function partFault(part: Json, role: string): string | null {
  if (!isObject(part)) return 'is not an object'
  const type = textAt(part, 'type')
  if (type === undefined) return 'has no type'
  const owner = owners.get(type)
  if (owner !== undefined && owner !== role) return `is of type ${type}, which only the ${owner} may have`
  return isWhole(part, type) ? null : `is of type ${type}, but a required field is missing`
}

function isWhole(part: JsonObject, type: string): boolean {
  switch (type) {
    case 'text':
      return typeof part['text'] === 'string'
    case 'refusal':
      return typeof part['refusal'] === 'string'
    case 'image_url':
      return isVisible(textAt(objectAt(part, 'image_url'), 'url') ?? '')
    case 'input_audio':
      return isSaid(objectAt(part, 'input_audio'), ['data', 'format'])
    case 'file':
      return ['file_id', 'file_data'].some(key => isSaid(objectAt(part, 'file'), [key]))
    default:
      return true
  }
}

const isSaid = (json: JsonObject, keys: readonly string[]) => keys.every(key => typeof json[key] === 'string')

/** Why it refuses a tool call; null when it does not. */
export function callFault(call: Json): string | null {
  const type = textAt(call, 'type')
  if (type !== 'function' && type !== 'custom') return 'has an unknown type'
  const asked = objectAt(call, type)
  if (textAt(call, 'id') === undefined) return 'has no id'
  if (!toolName.test(textAt(asked, 'name') ?? ''))
    return `has a tool name that is not allowed: ${(textAt(asked, 'name') ?? '').slice(0, 100)}`
  const input = type === 'custom' ? 'input' : 'arguments'
  return typeof asked[input] === 'string' ? null : `has no string as ${input}`
}
