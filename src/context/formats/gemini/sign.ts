import { isObject, type JsonObject } from '../../../protocol/json.ts'
import type { Segment } from '../codec.ts'
import { listAt } from '../look.ts'
import { noSignature } from './parse.ts'
import { spelled } from './spelled.ts'

/**
 * Gemini 3 refuses a step whose first call has no signature. A call that no Gemini model made has none, so it gets the
 * value that Google defines for this; and so does an unsigned call of the running interaction when others are signed.
 */
export function signed(contents: readonly JsonObject[], segments: readonly Segment[]): readonly JsonObject[] {
  const isForeign = segments.some(({ parts }) =>
    parts.some(part => part.kind === 'call' && part.native?.format !== 'gemini'),
  )
  if (!isForeign && unsignedSteps(contents).length === 0) return contents
  const since = isForeign ? 0 : runningFrom(contents)
  return contents.map((content, at) => (at >= since ? signFirst(content) : content))
}

/** Which contents of the running interaction lack the signature that they need. */
export function unsignedSteps(contents: readonly JsonObject[]): readonly number[] {
  const isKept = contents.some(content => callsOf(content).some(isSigned))
  const from = runningFrom(contents)
  return contents.flatMap((content, at) => {
    const [first] = callsOf(content)
    return isKept && at >= from && first && !isSigned(first) ? [at] : []
  })
}

const nameable = (part: JsonObject): JsonObject => {
  const json = spelled(part)
  return isObject(json) ? json : part
}

const isSigned = (part: JsonObject) => 'thoughtSignature' in nameable(part)

const callsOf = (content: JsonObject) =>
  content['role'] === 'model'
    ? listAt(content, 'parts').filter(
        (part): part is JsonObject => isObject(part) && isObject(nameable(part)['functionCall']),
      )
    : []

/** Where the running interaction starts: at the last message of the user that is not a result. */
function runningFrom(contents: readonly JsonObject[]): number {
  const isPrompt = (content: JsonObject) =>
    content['role'] !== 'model' &&
    listAt(content, 'parts').some(part => isObject(part) && !('functionResponse' in nameable(part)))
  return Math.max(contents.findLastIndex(isPrompt), 0)
}

function signFirst(content: JsonObject): JsonObject {
  const [first] = callsOf(content)
  if (first === undefined || isSigned(first)) return content
  return {
    ...content,
    parts: listAt(content, 'parts').map(part =>
      part === first ? { ...first, thoughtSignature: noSignature } : part,
    ),
  }
}
