/** Any value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** A JSON object. Its fields must be checked before use. */
export type JsonObject = { readonly [key: string]: Json }

const nothing: JsonObject = {}
const none: readonly Json[] = []

/** Whether a value is a JSON object, and not a list. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value has the same meaning after it was written as JSON. */
export function isJson(value: unknown): value is Json {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean'
  if (value === null) return true
  if (Array.isArray(value)) return value.every(isJson)
  if (!isPlain(value)) return false
  for (const key in value) if (!isJson((value as Readonly<Record<string, unknown>>)[key])) return false
  return true
}

/** Whether an object is of no class: it inherits from nothing, or from an object that inherits from nothing. */
function isPlain(value: object): boolean {
  const parent: unknown = Object.getPrototypeOf(value)
  return parent === null || Object.getPrototypeOf(parent) === null
}

/** A value as an object; an empty one when it is something else. */
export const asObject = (value: Json | undefined): JsonObject => (isObject(value) ? value : nothing)

/** A value as a list; an empty one when it is something else. */
export const asList = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : none

/** The fields of an object that have a value: to JSON, `undefined` is a missing field. */
export const definedEntries = (fields: object): readonly (readonly [string, unknown])[] =>
  Object.entries(fields).filter(([, value]) => value !== undefined)

/** A copy of an object without the fields that are `undefined`. */
export const definedIn = <Fields extends object>(fields: Fields): Defined<Fields> =>
  Object.fromEntries(definedEntries(fields)) as Defined<Fields>

type Defined<Fields> = { [Key in keyof Fields]: Exclude<Fields[Key], undefined> }
