import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { isList, listAt, objectAt, textAt } from '../look.ts'
import { faultOf } from './faults.ts'
import { spelled } from './spelled.ts'
import { unsignedSteps } from './sign.ts'

/** What Gemini would refuse: above all, unequal numbers of calls and responses. */
export function findInvalid(json: Json): readonly string[] {
  const list = isObject(json) ? listAt(json, 'contents') : isList(json) ? json : []
  const contents = list.filter(isObject)
  return [
    ...(list.length === 0 ? ['There are no contents.'] : []),
    ...(contents.length < list.length ? ['A content is not an object.'] : []),
    ...(contents[0]?.['role'] === 'model' ? ['The first content is not from the user.'] : []),
    ...systemFaults(json),
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
    ...(parts.length === 0 ? [`Content ${at} has no parts.`] : []),
    ...parts.flatMap((part, index) => {
      const fault = faultOf(part, role === 'model' ? 'assistant' : 'user')
      return fault === null ? [] : [`Part ${index} of content ${at} ${fault}.`]
    }),
  ]
}

const systemFaults = (json: Json): readonly string[] =>
  ['systemInstruction', 'system_instruction'].flatMap(key =>
    listAt(objectAt(json, key), 'parts').flatMap((part, at) => {
      const fault = faultOf(part, 'system')
      return fault === null ? [] : [`Part ${at} of the system instruction ${fault}.`]
    }),
  )

const namesOf = (content: JsonObject | undefined, key: string): readonly string[] =>
  askedOf(content, key)
    .map(asked => textAt(asked, 'name') ?? '')
    .toSorted()

/** The calls or the responses of a content. */
const askedOf = (content: JsonObject | undefined, key: string): readonly JsonObject[] =>
  listAt(content, 'parts').flatMap(part => {
    const json = spelled(part)
    const asked = isObject(json) ? json[key] : undefined
    return isObject(asked) ? [asked] : []
  })

function callFaults(
  content: JsonObject,
  previous: JsonObject | undefined,
  next: JsonObject | undefined,
  at: number,
): readonly string[] {
  const calls = namesOf(content, 'functionCall')
  if (calls.length === 0) return []
  const responses = namesOf(next, 'functionResponse')
  const ids = askedOf(content, 'functionCall').map(({ id }) => id)
  const strangers = askedOf(next, 'functionResponse').filter(
    ({ id }) => id !== undefined && !ids.includes(id),
  )
  return [
    ...(content['role'] === 'model' ? [] : [`Content ${at} has calls that are not from the model.`]),
    ...(previous === undefined || previous['role'] === 'model'
      ? [`Content ${at} does not follow a message from the user.`]
      : []),
    ...(calls.length === responses.length && calls.every((name, index) => name === responses[index])
      ? []
      : [`Content ${at} has ${calls.length} calls (${calls.join(', ')}) and ${responses.length} responses.`]),
    // Responses answer calls without ids by name, also if they have ids.
    ...(ids.includes(undefined)
      ? []
      : strangers.map(
          ({ id }) =>
            `Content ${at + 1} answers the call ${JSON.stringify(id)}, which is not in content ${at}.`,
        )),
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
