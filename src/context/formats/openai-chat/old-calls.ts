import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { CallPart, Part } from '../conversation.ts'
import type { Leaf } from '../leaves.ts'
import { objectAt, textAt } from '../look.ts'
import { toolName } from './faults.ts'

/** A call as OpenAI first had it: one key of a message, without an id. */
export const isOldCall = (json: Json): json is JsonObject =>
  isObject(json) && json['type'] === undefined && 'function_call' in json

/** What a function gave to such a call: a message that names the function only. */
export const isOldResult = (json: Json): json is JsonObject => isObject(json) && json['role'] === 'function'

/** Why the endpoint refuses an old call; null when it does not. */
export function oldCallFault(json: JsonObject): string | null {
  const asked = objectAt(json, 'function_call')
  return toolName.test(textAt(asked, 'name') ?? '') && typeof asked['arguments'] === 'string'
    ? null
    : 'is not a function with a name and a string as arguments'
}

/** Whether a part goes out in the old words that it came in. Nothing waits for a result of such a call. */
export function isOld(part: Part): boolean {
  if ((part.kind !== 'call' && part.kind !== 'result') || part.native?.format !== 'openai-chat') return false
  const { json } = part.native
  if (isOldCall(json)) return oldCallFault(json) === null && toolName.test(part.tool ?? '')
  return isOldResult(json) && toolName.test(textAt(json, 'name') ?? '')
}

/** Whether a leaf of an old result is said by its call, too: the name of the function. */
export const isSaidByPair = ({ kind, native }: Part, { path, value }: Leaf): boolean =>
  kind === 'result' &&
  native !== undefined &&
  isOldResult(native.json) &&
  (path === '/role' || (path === '/name' && typeof value === 'string'))

/** The id of an old call, or of a result that answers none, from its place. */
export const idAt = (place: string): string => `call_${place.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`

/** Finds the calls that old results answer: the one directly before of its name, or else the oldest of its name. */
export function createOldCalls() {
  let waiting: readonly { readonly call: CallPart; readonly message: number }[] = []
  return {
    ask(parts: readonly Part[], message: number): void {
      const calls = parts.filter(
        (part): part is CallPart =>
          part.kind === 'call' && part.native !== undefined && isOldCall(part.native.json),
      )
      waiting = [...waiting, ...calls.map(call => ({ call, message }))]
    },
    answer(result: JsonObject, message: number): string | undefined {
      const name = textAt(result, 'name')
      const named = waiting.filter(({ call }) => name === undefined || call.tool === name)
      const found = named.find(each => each.message === message - 1) ?? named[0]
      waiting = waiting.filter(each => each !== found)
      return found?.call.call
    },
  }
}
