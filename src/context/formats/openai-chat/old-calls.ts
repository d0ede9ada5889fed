import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { CallPart, Part } from '../conversation.ts'
import type { Leaf } from '../leaves.ts'
import { objectAt, textAt } from '../look.ts'
import { toolName } from './faults.ts'

/** A call as OpenAI first had it: one key of a message, without an id. */
export const isOldCall = (json: Json): json is JsonObject =>
  isObject(json) && json['type'] === undefined && 'function_call' in json

/** The result of such a call: a message that names only the function. */
export const isOldResult = (json: Json): json is JsonObject => isObject(json) && json['role'] === 'function'

/** Why the endpoint refuses an old call; null when it does not. */
export function oldCallFault(json: JsonObject): string | null {
  const asked = objectAt(json, 'function_call')
  return toolName.test(textAt(asked, 'name') ?? '') && typeof asked['arguments'] === 'string'
    ? null
    : 'is not a function with a name and a string as arguments'
}

/** Whether a part is written in the old shape that it came in. Such a call needs no result. */
export function isOld(part: Part): boolean {
  if ((part.kind !== 'call' && part.kind !== 'result') || part.native?.format !== 'openai-chat') return false
  const { json } = part.native
  if (isOldCall(json)) return oldCallFault(json) === null && toolName.test(part.tool ?? '')
  return isOldResult(json) && toolName.test(textAt(json, 'name') ?? '')
}

/** Whether a leaf of an old result is also in its call: the name of the function. */
export const isSaidByPair = ({ kind, native }: Part, { path, value }: Leaf): boolean =>
  kind === 'result' &&
  native !== undefined &&
  isOldResult(native.json) &&
  (path === '/role' || (path === '/name' && typeof value === 'string'))

/** The id of an old call, or of a result without a call, made from its position. */
export const idAt = (place: string): string => `call_${place.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`

/** Finds the calls that old results answer: the one directly before of its name, or else the oldest of its name. */
export function createOldCalls() {
  const waiting: { readonly call: CallPart; readonly message: number }[] = []
  return {
    ask(parts: readonly Part[], message: number): void {
      for (const part of parts)
        if (part.kind === 'call' && part.native !== undefined && isOldCall(part.native.json))
          waiting.push({ call: part, message })
    },
    answer(result: JsonObject, message: number): string | undefined {
      const name = textAt(result, 'name')
      const named = waiting.filter(({ call }) => name === undefined || call.tool === name)
      const found = named.find(each => each.message === message - 1) ?? named[0]
      if (found !== undefined) waiting.splice(waiting.indexOf(found), 1)
      return found?.call.call
    },
  }
}
