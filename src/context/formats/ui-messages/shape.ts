import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'

type Keys = Readonly<Record<string, (json: Json) => boolean>>

/** The required, optional and forbidden fields of an object; other fields are allowed. */
export interface Shape {
  readonly mustHave?: Keys
  readonly mayHave?: Keys
  readonly mustNotHave?: readonly string[]
}

/** The first key of an object that does not match its shape; null when all match. */
export function misshapenKey(
  json: JsonObject,
  { mustHave = {}, mayHave = {}, mustNotHave = [] }: Shape,
): string | null {
  const isWrong = (key: string, is: (value: Json) => boolean) => !is(json[key] as Json)
  const missing = Object.entries(mustHave).find(([key, is]) => !Object.hasOwn(json, key) || isWrong(key, is))
  const wrong = Object.entries(mayHave).find(([key, is]) => Object.hasOwn(json, key) && isWrong(key, is))
  const extra = mustNotHave.find(key => Object.hasOwn(json, key))
  return missing?.[0] ?? wrong?.[0] ?? extra ?? null
}

/** Whether something is provider metadata: of each provider an object. */
export const isMetadata = (json: Json): boolean => isObject(json) && Object.values(json).every(isObject)
