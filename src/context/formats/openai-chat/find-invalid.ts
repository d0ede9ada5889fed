import type { Json } from '../../../protocol/json.ts'
import { isList, isObject, listAt, objectAt, textAt } from '../look.ts'

/** What OpenAI takes as the name of a tool. */
export const toolName = /^[A-Za-z0-9_-]{1,64}$/

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
  const content = message['content']
  const hasWords = typeof content === 'string' || (isList(content) && content.length > 0)
  const isAnswered = role === 'assistant' && (callsOf(message).length > 0 || isWordy(message))
  return [
    ...(hasWords || isAnswered ? [] : [`Message ${at} is empty.`]),
    ...(role === 'tool' && typeof message['tool_call_id'] !== 'string'
      ? [`Message ${at} answers no call.`]
      : []),
    ...callsOf(message).flatMap(call => (call.length > 40 ? [`The call id ${call} is too long.`] : [])),
    ...listAt(message, 'tool_calls')
      .filter(call => !toolName.test(nameOf(call)))
      .map(call => `Message ${at} calls a tool whose name is refused: ${nameOf(call).slice(0, 100)}.`),
    ...(isList(content) && content.some(piece => !isObject(piece))
      ? [`Message ${at} has a part that is none.`]
      : []),
  ]
}

const nameOf = (call: Json) =>
  textAt(objectAt(call, textAt(call, 'type') === 'custom' ? 'custom' : 'function'), 'name') ?? ''

/** Whether the endpoint takes a content part, a tool call or a tool message. */
export function isSound(json: Json): boolean {
  if (typeof json === 'string') return true
  if (!isObject(json)) return false
  if (json['role'] === 'tool') return misshapen(json, 0).length === 0
  const isCustom = json['type'] === 'custom'
  if (!isCustom && json['type'] !== 'function' && !('function' in json)) return true
  const asked = objectAt(json, isCustom ? 'custom' : 'function')
  const input = asked[isCustom ? 'input' : 'arguments']
  return [json['id'], input].every(field => typeof field === 'string') && toolName.test(nameOf(json))
}

const isWordy = (message: Json) =>
  ['refusal', 'function_call', 'audio', 'reasoning_content', 'reasoning'].some(
    key => isObject(message) && message[key] !== undefined && message[key] !== null,
  )

const callsOf = (message: Json): readonly string[] =>
  textAt(message, 'role') === 'assistant'
    ? listAt(message, 'tool_calls').map(call => textAt(call, 'id') ?? '')
    : []

/** Walks through the messages with the calls that still wait. */
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
    if (new Set(waiting).size < waiting.length) faults.push('Two calls of one message have one id.')
  }
  return [...faults, ...waiting.map(call => `The call ${call} is not answered.`)]
}
