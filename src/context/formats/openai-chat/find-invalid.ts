import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Role } from '../conversation.ts'
import { isList, listAt, textAt } from '../look.ts'
import { callFault, partFault, toolName } from './faults.ts'
import { wordKeys } from './parse.ts'
import { isOldCall, oldCallFault } from './old-calls.ts'

const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function']

/** What OpenAI's chat endpoint would refuse: above all, tool messages for all calls come directly after. */
export function findInvalid(json: Json): readonly string[] {
  const messages = isObject(json) ? listAt(json, 'messages') : isList(json) ? json : []
  const none = messages.length === 0 ? ['There are no messages.'] : []
  return [...none, ...messages.flatMap(misshapen), ...unpaired(messages)]
}

function misshapen(message: Json, at: number): readonly string[] {
  const role = textAt(message, 'role')
  if (!isObject(message) || role === undefined || !roles.includes(role))
    return [`Message ${at} has the role ${String(role)}.`]
  return [
    ...(hasWords(message, role) ? [] : [`Message ${at} is empty.`]),
    ...(role === 'tool' && typeof message['tool_call_id'] !== 'string'
      ? [`Message ${at} does not answer a call.`]
      : []),
    ...(role === 'function' && !toolName.test(textAt(message, 'name') ?? '')
      ? [`Message ${at} does not name its function.`]
      : []),
    ...((message['function_call'] ?? null) === null
      ? []
      : named(oldCallFault(message), `The function call of message ${at}`)),
    ...listAt(message, 'content').flatMap((part, index) =>
      named(partFault(part, role), `Part ${index} of message ${at}`),
    ),
    ...callFaults(message, at),
  ]
}

const named = (fault: string | null, where: string): readonly string[] =>
  fault === null ? [] : [`${where} ${fault}.`]

function hasWords(message: JsonObject, role: string): boolean {
  const content = message['content']
  if (typeof content === 'string' || (isList(content) && content.length > 0)) return true
  // The result of a function may be empty.
  if (role === 'function') return content === null
  const isNothing = content === undefined || content === null || isList(content)
  return isNothing && role === 'assistant' && (callsOf(message).length > 0 || isWordy(message))
}

function callFaults(message: JsonObject, at: number): readonly string[] {
  const calls = message['tool_calls']
  if (calls === undefined || calls === null) return []
  if (!isList(calls) || calls.length === 0) return [`Message ${at} has an empty list of tool_calls.`]
  return [
    ...calls.flatMap((call, index) => named(callFault(call), `Call ${index} of message ${at}`)),
    ...callsOf(message).flatMap(call => (call.length > 40 ? [`The call id ${call} is too long.`] : [])),
  ]
}

/** Whether the endpoint accepts a content part of a role, a tool call or a tool message. */
export function isSound(json: Json, role: Role): boolean {
  if (typeof json === 'string') return true
  if (!isObject(json)) return false
  if (json['role'] === 'tool' || json['role'] === 'function') return misshapen(json, 0).length === 0
  if (json['type'] === undefined && wordKeys.some(key => typeof json[key] === 'string')) return true
  if (isOldCall(json)) return oldCallFault(json) === null && role === 'assistant'
  const isCall =
    'function' in json || 'custom' in json || /^(function|custom)$/.test(textAt(json, 'type') ?? '')
  return (isCall ? callFault(json) : partFault(json, role)) === null
}

const isWordy = (message: Json) =>
  ['refusal', 'function_call', 'audio', 'reasoning_content', 'reasoning'].some(
    key => isObject(message) && message[key] !== undefined && message[key] !== null,
  )

const callsOf = (message: Json): readonly string[] =>
  textAt(message, 'role') === 'assistant'
    ? listAt(message, 'tool_calls').map(call => textAt(call, 'id') ?? '')
    : []

/** Checks the messages in order, with the calls that still wait for results. */
function unpaired(messages: readonly Json[]): readonly string[] {
  const faults: string[] = []
  let waiting: readonly string[] = []
  for (const message of messages) {
    if (textAt(message, 'role') === 'tool') {
      const call = textAt(message, 'tool_call_id') ?? ''
      if (!waiting.includes(call)) faults.push(`The result of ${call} has no call before it.`)
      waiting = waiting.filter(id => id !== call)
      continue
    }
    faults.push(...waiting.map(call => `The call ${call} is not answered directly after.`))
    waiting = callsOf(message)
    if (new Set(waiting).size < waiting.length) faults.push('Two calls in one message have the same id.')
  }
  return [...faults, ...waiting.map(call => `The call ${call} is not answered.`)]
}
