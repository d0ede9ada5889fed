import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { isList, listAt, textAt } from '../look.ts'
import { partFault } from './faults.ts'

/** What the AI SDK would refuse in UI messages. */
export function findInvalid(json: Json): readonly string[] {
  const messages = isObject(json) ? listAt(json, 'messages') : isList(json) ? json : []
  return [...(messages.length === 0 ? ['There are no messages.'] : []), ...messages.flatMap(misshapen)]
}

function misshapen(message: Json, at: number): readonly string[] {
  if (!isObject(message)) return [`Message ${at} is not an object.`]
  const calls = listAt(message, 'parts').flatMap(part => textAt(part, 'toolCallId') ?? [])
  return [
    ...(typeof message['id'] === 'string' ? [] : [`Message ${at} has no id.`]),
    ...(['system', 'user', 'assistant'].includes(textAt(message, 'role') ?? '')
      ? []
      : [`Message ${at} has no role.`]),
    ...partsFaults(message, at),
    ...(new Set(calls).size < calls.length ? [`Message ${at} has two calls with the same id.`] : []),
  ]
}

function partsFaults({ parts, role }: JsonObject, at: number): readonly string[] {
  if (!isList(parts) || (parts.length === 0 && role !== 'assistant')) return [`Message ${at} has no parts.`]
  return parts.flatMap((part, index) => {
    const fault = partFault(part)
    return fault === null ? [] : [`Part ${index} of message ${at} ${fault}.`]
  })
}
