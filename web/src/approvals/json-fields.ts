import type { Json } from 'dragoman'

/** The fields of something that may be an object. */
export type Fields = { readonly [name: string]: Json }

/** Whether a value has fields. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields of an object; empty for other values. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

/** The text in a field; null when it is not text. */
export const textIn = (fields: Fields, name: string): string | null => {
  const value = fields[name]
  return typeof value === 'string' ? value : null
}

/** The JSON in a text; null when it is not valid. */
export function jsonIn(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    // Any other value has no text.
    return null
  }
}

/** A value as text for the user. */
export const jsonText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')

/** The text of a list that has only text items, as ACP agents wrap it; else null. */
function wordsIn(value: Json): string | null {
  if (!Array.isArray(value) || value.length === 0) return null
  const words = value.map(each => {
    const { type, content, ...rest } = fieldsOf(each)
    const inside = fieldsOf(content)
    const isWords = type === 'content' && inside['type'] === 'text' && Object.keys(inside).length === 2
    return isWords && Object.keys(rest).length === 0 ? textIn(inside, 'text') : null
  })
  return words.includes(null) ? null : words.join('\n')
}

/** The fields that are not shown elsewhere, as text for the user. */
export const otherFields = (
  input: unknown,
  shown: readonly string[],
): readonly { readonly name: string; readonly text: string }[] =>
  Object.entries(fieldsOf(input))
    .filter(([name]) => !shown.includes(name))
    .map(([name, value]) => ({ name, text: wordsIn(value) ?? jsonText(value) }))

/** Whether a value contains terminal escapes, which could hide text when shown as in a terminal. */
export const isForTerminals = (value: unknown): boolean =>
  /\\u00(?:1b|[89][0-9a-f])|[\u0080-\u009F]/.test(JSON.stringify(value) ?? '')
