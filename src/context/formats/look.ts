import { asList, asObject, definedIn, type Json, type JsonObject } from '../../protocol/json.ts'

/** Whether a value is a JSON list. */
export const isList = (json: Json | undefined): json is readonly Json[] => Array.isArray(json)

/** The text under a key, if there is one. */
export function textAt(json: Json | undefined, key: string): string | undefined {
  const value = asObject(json)[key]
  return typeof value === 'string' ? value : undefined
}

/** The object under a key; an empty one where there is none. */
export function objectAt(json: Json | undefined, key: string): JsonObject {
  return asObject(asObject(json)[key])
}

/** The list under a key; an empty one where there is none. */
export function listAt(json: Json | undefined, key: string): readonly Json[] {
  return asList(asObject(json)[key])
}

/** The length of a list; null for other values. */
export const lengthOf = (json: Json | undefined): number | null => (isList(json) ? json.length : null)

/** A copy without some keys. */
export const without = (json: JsonObject, ...keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(json).filter(([key]) => !keys.includes(key)))

/** An object of those fields that have a value. */
export const fields = (of: { readonly [key: string]: Json | undefined }): JsonObject => definedIn(of)

/** JSON text as a value; undefined when it is not JSON. */
export function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    // Models do write invalid arguments: the exact text is kept beside.
    return undefined
  }
}

/** The values that are not null. */
export const present = (list: readonly (Json | null)[]): readonly Json[] => list.filter(json => json !== null)
