import { asList, asObject, type Json } from '../../protocol/json.ts'

export { asObject } from '../../protocol/json.ts'

/** An object of an agent's words. Nothing is known of its fields until they are looked at. */
export type Fields = Readonly<Record<string, Json>>

/** A field that should be an object; an empty one where it is none. */
export function objectOf(fields: Fields, name: string): Fields {
  return asObject(fields[name])
}

/** A field that should be text; empty where it is none. */
export function textOf(fields: Fields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}

/** A field that may be text. */
export function textOrNull(fields: Fields, name: string): string | null {
  const value = fields[name]
  return typeof value === 'string' ? value : null
}

/** A field that should be a number; 0 where it is none. */
export function numberOf(fields: Fields, name: string): number {
  const value = fields[name]
  return typeof value === 'number' ? value : 0
}

/** A field that should be a list; an empty one where it is none. */
export function listOf(fields: Fields, name: string): readonly Json[] {
  return asList(fields[name])
}

/** An object without some of its fields, and without those that are null. */
export function without(fields: Fields, names: ReadonlySet<string>): Fields {
  const kept = Object.entries(fields).filter(([name, value]) => value !== null && !names.has(name))
  return Object.fromEntries(kept)
}

/** The words in a list of content: those of each element that has text, a line each. */
export function wordsIn(content: readonly Json[]): string {
  return content
    .map(each => textOf(asObject(each), 'text'))
    .filter(text => text !== '')
    .join('\n')
}
