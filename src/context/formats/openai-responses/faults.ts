import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Role } from '../conversation.ts'
import { isList, textAt } from '../look.ts'
import { isVisible, toolName } from '../openai-chat/faults.ts'

/** Calls that the host answers with a separate item. */
export const calls = ['function_call', 'custom_tool_call']

/** Whether the endpoint accepts an item or a content part of a role. */
export function isSound(json: Json, role: Role): boolean {
  if (typeof json === 'string') return true
  const type = textAt(json, 'type')
  if (!isObject(json) || type === undefined || type === 'message') return false
  return (contents.has(type) ? partFault(json, role) : itemFault(json, type)) === null
}

const spoken = ['output_text', 'refusal']

/** Kinds of content parts, and the fields that each must have. */
const contents = new Map<string, (part: JsonObject) => boolean>([
  ['input_text', ({ text }) => typeof text === 'string'],
  ['output_text', ({ text }) => typeof text === 'string'],
  ['refusal', ({ refusal }) => typeof refusal === 'string'],
  [
    'input_image',
    part => isVisible(textAt(part, 'image_url') ?? '') || textAt(part, 'file_id') !== undefined,
  ],
  ['input_file', part => ['file_id', 'file_data', 'file_url'].some(key => textAt(part, key) !== undefined)],
])

/** Why the endpoint refuses a content part of a role; null when it does not, or when it may know more kinds than we do. */
export function partFault(part: Json, role: Role): string | null {
  if (!isObject(part)) return 'is not an object'
  const type = textAt(part, 'type')
  if (type === undefined) return 'has no type'
  if (role === 'assistant' && /^input_(text|image|file)$/.test(type))
    return `is of type ${type}, which the assistant may not have`
  if ((role === 'user' || role === 'system') && spoken.includes(type))
    return `is of type ${type}, which only the assistant may have`
  return contents.get(type)?.(part) === false ? `is of type ${type}, but a required field is missing` : null
}

/** Why it refuses an item that is not a message; null when it does not. */
export function itemFault(item: JsonObject, type: string): string | null {
  if (calls.includes(type)) return callFault(item, type)
  if (calls.some(kind => type === `${kind}_output`)) return outputFault(item)
  return type === 'reasoning' && !isList(item['summary']) ? 'is reasoning without a summary' : null
}

function callFault(item: JsonObject, type: string): string | null {
  if (typeof item['call_id'] !== 'string') return 'is a call without a call_id'
  if (!toolName.test(textAt(item, 'name') ?? '')) return 'calls a tool whose name is not allowed'
  const input = type === 'custom_tool_call' ? 'input' : 'arguments'
  return typeof item[input] === 'string' ? null : `is a call without a string as ${input}`
}

function outputFault({ call_id: call, output }: JsonObject): string | null {
  if (typeof call !== 'string') return 'is an output without a call_id'
  if (typeof output === 'string') return null
  if (!isList(output)) return 'is an output that is neither a string nor a list'
  const inner = output.map(part => partFault(part, 'tool'))
  const at = inner.findIndex(fault => fault !== null)
  return at === -1 ? null : `is an output whose part ${at} ${inner[at] ?? ''}`
}
