import { isObject, type Json } from '../../../protocol/json.ts'
import { isList, listAt, textAt } from '../look.ts'
import { calls, itemFault, partFault } from './faults.ts'
import { itemId } from './items.ts'

/** What OpenAI's responses endpoint would refuse: calls and outputs by `call_id`, reasoning with what it led to. */
export function findInvalid(json: Json): readonly string[] {
  if (isObject(json) && typeof json['input'] === 'string') return []
  const items = isObject(json) ? listAt(json, 'input') : isList(json) ? json : []
  return [
    ...(items.length === 0 && !isBegun(json) ? ['There is no input.'] : []),
    ...items.flatMap(misshapen),
    ...repeatedIds(items),
    ...unpaired(items, goesOnFrom(json) || items.some(item => textAt(item, 'type') === 'item_reference')),
    ...items.flatMap((item, at) =>
      textAt(item, 'type') === 'reasoning' && !hasFollower(items, at)
        ? [`The reasoning ${textAt(item, 'id') ?? at} lacks its following item.`]
        : [],
    ),
  ]
}

/** Whether a request continues a response or a conversation that OpenAI keeps. */
export const goesOnFrom = (json: Json): boolean =>
  isObject(json) && [json['previous_response_id'], json['conversation']].some(from => (from ?? null) !== null)

/** Whether a request may be empty: it continues a conversation, or OpenAI keeps the prompt. */
export const isBegun = (json: Json): boolean =>
  goesOnFrom(json) || (isObject(json) && isObject(json['prompt']))

function repeatedIds(items: readonly Json[]): readonly string[] {
  const ids = items.flatMap(item => itemId(item) ?? [])
  return [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))].map(
    id => `Two items have the id ${id}.`,
  )
}

function misshapen(item: Json, at: number): readonly string[] {
  if (!isObject(item)) return [`Item ${at} is not an object.`]
  const type = textAt(item, 'type')
  if (type !== undefined && type !== 'message') return named(itemFault(item, type), `Item ${at}`)
  const role = textAt(item, 'role') ?? ''
  const content = item['content']
  return [
    ...(['system', 'developer', 'user', 'assistant'].includes(role) ? [] : [`Item ${at} has no role.`]),
    ...(typeof content === 'string' || (isList(content) && content.length > 0)
      ? []
      : [`Item ${at} has no content.`]),
    ...listAt(item, 'content').flatMap((part, index) =>
      named(partFault(part, role === 'assistant' ? role : 'user'), `Part ${index} of item ${at}`),
    ),
  ]
}

const named = (fault: string | null, where: string): readonly string[] =>
  fault === null ? [] : [`${where} ${fault}.`]

function unpaired(items: readonly Json[], goesOn: boolean): readonly string[] {
  const faults: string[] = []
  const asked = new Map<string, string>()
  const answered = new Set<string>()
  for (const item of items) {
    const type = textAt(item, 'type') ?? ''
    const call = textAt(item, 'call_id') ?? ''
    if (calls.includes(type)) {
      if (asked.has(call)) faults.push(`The call ${call} appears twice.`)
      if (call.length > 64) faults.push(`The call id ${call} is too long.`)
      asked.set(call, type)
    } else if (calls.some(kind => type === `${kind}_output`)) {
      const isElsewhere = goesOn && !asked.has(call)
      if (!isElsewhere && asked.get(call) !== type.replace(/_output$/, ''))
        faults.push(`The output of ${call} has no call of its kind before it.`)
      if (answered.has(call)) faults.push(`The call ${call} is answered twice.`)
      answered.add(call)
    }
  }
  const seen = new Set(
    items.flatMap(item => (isOf(item, 'computer_call_output') ? [textAt(item, 'call_id')] : [])),
  )
  return [
    ...faults,
    ...items
      .filter(item => isOf(item, 'computer_call') && !seen.has(textAt(item, 'call_id')))
      .map(item => `The computer call ${textAt(item, 'call_id') ?? ''} has no output.`),
    ...[...asked.keys()].filter(call => !answered.has(call)).map(call => `The call ${call} has no output.`),
  ]
}

const isOf = (item: Json, type: string) => textAt(item, 'type') === type

/** Another item of the assistant comes next. */
function hasFollower(items: readonly Json[], at: number): boolean {
  const next = items.slice(at + 1).find(item => textAt(item, 'type') !== 'reasoning')
  if (next === undefined) return false
  const type = textAt(next, 'type') ?? 'message'
  return type === 'message' ? textAt(next, 'role') === 'assistant' : !/_(output|response)$/.test(type)
}
