import type { Json } from '../../../protocol/json.ts'
import { isList, isObject, type JsonObject, listAt, textAt } from '../look.ts'
import { toolName } from '../openai-chat/find-invalid.ts'

const calls = ['function_call', 'custom_tool_call']

/** What OpenAI's responses endpoint would refuse: calls and outputs by `call_id`, reasoning with what it led to. */
export function findInvalid(json: Json): readonly string[] {
  if (isObject(json) && typeof json['input'] === 'string') return []
  const items = isObject(json) ? listAt(json, 'input') : isList(json) ? json : []
  return [
    ...items.flatMap(misshapen),
    ...unpaired(items, goesOnFrom(json) || items.some(item => textAt(item, 'type') === 'item_reference')),
    ...items.flatMap((item, at) =>
      textAt(item, 'type') === 'reasoning' && !hasFollower(items, at)
        ? [`The reasoning ${textAt(item, 'id') ?? at} lacks its following item.`]
        : [],
    ),
  ]
}

/** Whether a request goes on from a response or a conversation that OpenAI keeps. */
export const goesOnFrom = (json: Json): boolean =>
  isObject(json) && [json['previous_response_id'], json['conversation']].some(from => (from ?? null) !== null)

function misshapen(item: Json, at: number): readonly string[] {
  if (!isObject(item)) return [`Item ${at} is no object.`]
  const type = textAt(item, 'type')
  if (type !== undefined && type !== 'message') return []
  const content = item['content']
  return [
    ...(['system', 'developer', 'user', 'assistant'].includes(textAt(item, 'role') ?? '')
      ? []
      : [`Item ${at} has no role.`]),
    ...(typeof content === 'string' || (isList(content) && content.every(isObject) && content.length > 0)
      ? []
      : [`Item ${at} has no content.`]),
  ]
}

/** Whether the endpoint takes an item or a content part. */
export const isSound = (json: Json): boolean =>
  typeof json === 'string' ||
  (isObject(json) && typeof json['type'] === 'string' && json['type'] !== 'message' && isNamed(json))

/** Calls and outputs say which call they are. */
function isNamed(item: JsonObject): boolean {
  const type = textAt(item, 'type') ?? ''
  const { call_id: call, output } = item
  const input = type === 'custom_tool_call' ? item['input'] : item['arguments']
  if (calls.includes(type))
    return typeof call === 'string' && typeof input === 'string' && toolName.test(textAt(item, 'name') ?? '')
  if (!calls.some(kind => type === `${kind}_output`)) return true
  return typeof call === 'string' && (typeof output === 'string' || (isList(output) && output.every(isSound)))
}

function unpaired(items: readonly Json[], goesOn: boolean): readonly string[] {
  const faults: string[] = []
  const asked = new Map<string, string>()
  const answered = new Set<string>()
  for (const item of items) {
    const type = textAt(item, 'type') ?? ''
    const call = textAt(item, 'call_id') ?? ''
    if (calls.includes(type)) {
      if (asked.has(call)) faults.push(`The call ${call} stands twice.`)
      if (call.length > 64) faults.push(`The call id ${call} is too long.`)
      if (!toolName.test(textAt(item, 'name') ?? ''))
        faults.push(`The name of the tool of ${call} is refused.`)
      asked.set(call, type)
    } else if (calls.some(kind => type === `${kind}_output`)) {
      const isElsewhere = goesOn && !asked.has(call)
      if (!isElsewhere && asked.get(call) !== type.replace(/_output$/, ''))
        faults.push(`The output of ${call} has no call of its kind before it.`)
      if (answered.has(call)) faults.push(`The call ${call} is answered twice.`)
      answered.add(call)
    }
  }
  return [
    ...faults,
    ...[...asked.keys()].filter(call => !answered.has(call)).map(call => `The call ${call} has no output.`),
  ]
}

/** Something of the assistant's own comes next. */
function hasFollower(items: readonly Json[], at: number): boolean {
  const next = items.slice(at + 1).find(item => textAt(item, 'type') !== 'reasoning')
  if (next === undefined) return false
  const type = textAt(next, 'type') ?? 'message'
  return type === 'message' ? textAt(next, 'role') === 'assistant' : !/_(output|response)$/.test(type)
}
