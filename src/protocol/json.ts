/** Any value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** The fields of an object that have a value: to JSON, `undefined` is a missing field. */
export const definedEntries = (fields: object): readonly (readonly [string, unknown])[] =>
  Object.entries(fields).filter(([, value]) => value !== undefined)

/** A copy of an object without the fields that are `undefined`. */
export const definedIn = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(definedEntries(fields)) as Fields
