/** Any value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** A JSON object. Nothing is known of its fields until they are looked at. */
export type JsonObject = { readonly [key: string]: Json }

const nothing: JsonObject = {}
const none: readonly Json[] = []

/** Whether a value is a JSON object, and not a list. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value as an object; an empty one when it is something else. */
export const asObject = (value: Json | undefined): JsonObject => (isObject(value) ? value : nothing)

/** A value as a list; an empty one when it is something else. */
export const asList = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : none

/** The fields of an object that have a value: to JSON, `undefined` is a missing field. */
export const definedEntries = (fields: object): readonly (readonly [string, unknown])[] =>
  Object.entries(fields).filter(([, value]) => value !== undefined)

/** A copy of an object without the fields that are `undefined`. */
export const definedIn = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(definedEntries(fields)) as Fields
