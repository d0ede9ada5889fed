import type { Json } from 'dragoman'

/** The fields of something that may be an object. */
export type Fields = { readonly [name: string]: Json }

/** Whether a value has fields. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields of a value; none of one that has none. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

/** A text in a field; null when it is none. */
export const textIn = (fields: Fields, name: string): string | null => {
  const value = fields[name]
  return typeof value === 'string' ? value : null
}

/** A value as a person reads it. */
export const jsonText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')

/** The fields that are not shown elsewhere, as a person reads them. */
export const otherFields = (
  input: unknown,
  shown: readonly string[],
): readonly { readonly name: string; readonly text: string }[] =>
  Object.entries(fieldsOf(input))
    .filter(([name]) => !shown.includes(name))
    .map(([name, value]) => ({ name, text: jsonText(value) }))

/** Whether something in a value is meant for terminals: what shows it as a terminal would, leaves words out. */
export const isForTerminals = (value: unknown): boolean =>
  /\\u00(?:1b|[89][0-9a-f])|[\u0080-\u009F]/.test(JSON.stringify(value) ?? '')
