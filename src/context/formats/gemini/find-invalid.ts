import type { Json } from '../../../protocol/json.ts'
import { isList, isObject, type JsonObject, listAt, objectAt, textAt } from '../look.ts'
import { unsignedSteps } from './sign.ts'

/** What Gemini would refuse: above all, unequal numbers of calls and responses. */
export function findInvalid(json: Json): readonly string[] {
  const list = isObject(json) ? listAt(json, 'contents') : isList(json) ? json : []
  const contents = list.filter(isObject)
  return [
    ...(list.length === 0 ? ['There are no contents.'] : []),
    ...(contents.length < list.length ? ['A content is no object.'] : []),
    ...(contents[0]?.['role'] === 'model' ? ['The first content is not of the user.'] : []),
    ...contents.flatMap(misshapen),
    ...contents.flatMap((content, at) => [
      ...callFaults(content, contents[at - 1], contents[at + 1], at),
      ...responseFaults(content, contents[at - 1], at),
    ]),
    ...unsignedSteps(contents).map(at => `The first call of content ${at} lacks its thoughtSignature.`),
  ]
}

function misshapen(content: JsonObject, at: number): readonly string[] {
  const role = content['role']
  const parts = listAt(content, 'parts')
  const isKnown = role === undefined || role === 'user' || role === 'model' || role === 'function'
  return [
    ...(isKnown ? [] : [`Content ${at} has an unknown role.`]),
    ...(parts.length === 0 || !parts.every(isSound)
      ? [`Content ${at} has no parts, or one that is none.`]
      : []),
  ]
}

/** Whether Gemini takes a part. */
export function isSound(json: Json): boolean {
  if (!isObject(json)) return false
  const { functionCall: call, functionResponse: response } = json
  const isCall =
    call === undefined || (isObject(call) && typeof call['name'] === 'string' && isArguments(call['args']))
  const isResponse =
    response === undefined ||
    (isObject(response) && typeof response['name'] === 'string' && isObject(response['response']))
  return isCall && isResponse && !isLocal.test(textAt(objectAt(json, 'fileData'), 'fileUri') ?? '')
}

/** Addresses that only the machine of their writer can follow. */
export const isLocal = /^(data|blob|file):/i

const isArguments = (json: Json | undefined) => json === undefined || isObject(json)

const namesOf = (content: JsonObject | undefined, key: string): readonly string[] =>
  listAt(content, 'parts')
    .filter(part => isObject(part) && isObject(part[key]))
    .map(part => textAt(objectAt(part, key), 'name') ?? '')
    .toSorted()

function callFaults(
  content: JsonObject,
  previous: JsonObject | undefined,
  next: JsonObject | undefined,
  at: number,
): readonly string[] {
  const calls = namesOf(content, 'functionCall')
  if (calls.length === 0) return []
  const responses = namesOf(next, 'functionResponse')
  return [
    ...(content['role'] === 'model' ? [] : [`Content ${at} has calls that are not the model's.`]),
    ...(previous === undefined || previous['role'] === 'model'
      ? [`Content ${at} does not follow the user.`]
      : []),
    ...(calls.length === responses.length && calls.every((name, index) => name === responses[index])
      ? []
      : [`Content ${at} has ${calls.length} calls (${calls.join(', ')}) and ${responses.length} responses.`]),
  ]
}

const responseFaults = (
  content: JsonObject,
  previous: JsonObject | undefined,
  at: number,
): readonly string[] =>
  namesOf(content, 'functionResponse').length > 0 && namesOf(previous, 'functionCall').length === 0
    ? [`Content ${at} has responses without calls.`]
    : []
