import type { Json } from '../../../protocol/json.ts'
import { isList, isObject, type JsonObject, listAt, textAt } from '../look.ts'

const states = [
  'input-streaming',
  'input-available',
  'approval-requested',
  'approval-responded',
  'output-available',
  'output-error',
  'output-denied',
]

/** What the AI SDK would refuse in UI messages. */
export function findInvalid(json: Json): readonly string[] {
  const messages = isObject(json) ? listAt(json, 'messages') : isList(json) ? json : []
  return messages.flatMap(misshapen)
}

function misshapen(message: Json, at: number): readonly string[] {
  if (!isObject(message)) return [`Message ${at} is no object.`]
  const parts = message['parts']
  const calls = listAt(message, 'parts').flatMap(part => textAt(part, 'toolCallId') ?? [])
  return [
    ...(typeof message['id'] === 'string' ? [] : [`Message ${at} has no id.`]),
    ...(['system', 'user', 'assistant'].includes(textAt(message, 'role') ?? '')
      ? []
      : [`Message ${at} has no role.`]),
    ...(isList(parts) ? parts.flatMap(part => partFaults(part, at)) : [`Message ${at} has no parts.`]),
    ...(new Set(calls).size < calls.length ? [`Message ${at} has two calls of one id.`] : []),
  ]
}

/** Whether the AI SDK takes a part, or what a result adds to one. */
export function isSound(json: Json): boolean {
  const isResult = isObject(json) && !('type' in json) && 'state' in json
  if (!isResult) return partFaults(json, 0).length === 0
  return json['state'] === 'output-error' ? typeof json['errorText'] === 'string' : 'output' in json
}

function partFaults(part: Json, at: number): readonly string[] {
  if (!isObject(part)) return [`Message ${at} has a part that is no object.`]
  const type = textAt(part, 'type')
  if (type === undefined) return [`Message ${at} has a part without a type.`]
  return type === 'dynamic-tool' || type.startsWith('tool-') ? toolFaults(part, at) : []
}

function toolFaults(part: JsonObject, at: number): readonly string[] {
  const isNamed = part['type'] !== 'dynamic-tool' || typeof part['toolName'] === 'string'
  const state = textAt(part, 'state') ?? ''
  return [
    ...(isNamed ? [] : [`Message ${at} has a tool part without a name.`]),
    ...(typeof part['toolCallId'] === 'string' ? [] : [`Message ${at} has a tool part without a call id.`]),
    ...(states.includes(state) ? [] : [`Message ${at} has a tool part in the state ${state}.`]),
    ...(state === 'output-error' && typeof part['errorText'] !== 'string'
      ? [`Message ${at} has an error without a text.`]
      : []),
  ]
}
