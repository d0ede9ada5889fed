import { asList, asObject, type Json } from '../../protocol/json.ts'

export { asObject } from '../../protocol/json.ts'

/** A JSON object from an agent. Its fields can have any type. */
export type Fields = Readonly<Record<string, Json>>

/** A field that should be an object; an empty object if it is not. */
export function objectOf(fields: Fields, name: string): Fields {
  return asObject(fields[name])
}

/** A field that should be text; empty if it is not. */
export function textOf(fields: Fields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}

/** A field that may be text; null if it is not. */
export function textOrNull(fields: Fields, name: string): string | null {
  const value = fields[name]
  return typeof value === 'string' ? value : null
}

/** A field that should be a number; 0 if it is not. */
export function numberOf(fields: Fields, name: string): number {
  const value = fields[name]
  return typeof value === 'number' ? value : 0
}

/** A field that should be a list; an empty list if it is not. */
export function listOf(fields: Fields, name: string): readonly Json[] {
  return asList(fields[name])
}

/** A copy of an object without some of its fields, and without null fields. */
export function without(fields: Fields, names: ReadonlySet<string>): Fields {
  const kept = Object.entries(fields).filter(([name, value]) => value !== null && !names.has(name))
  return Object.fromEntries(kept)
}

/** The texts of a list of content, joined by line breaks. */
export function wordsIn(content: readonly Json[]): string {
  return content
    .map(each => textOf(asObject(each), 'text'))
    .filter(text => text !== '')
    .join('\n')
}
