import type { Json } from '../json.ts'

/** An object from outside: its fields must be checked before use. */
export type Fields = Readonly<Record<string, Json | undefined>>

/** The first of some fields that is a text with something in it. */
export function textIn(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** The first of some fields that is a number. */
export function numberIn(fields: Fields, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (typeof value === 'number' && Number.isFinite(value)) return value
  }
  return undefined
}
