import type { Json } from 'dragoman'
import { fieldsOf, isFields, textIn } from './json-fields.ts'

/** A field of a form that an MCP server asks the user to fill in. */
export interface FormField {
  readonly name: string
  readonly label: string
  readonly description: string | null
  readonly kind: 'text' | 'number' | 'flag' | 'choice'
  readonly choices: readonly string[]
  readonly required: boolean
}

/** The form in a call; null when it has none, or one with places that are not known here. */
export function formIn(input: unknown): readonly FormField[] | null {
  const schema = fieldsOf(input)['requestedSchema']
  if (!isFields(schema)) return null
  const { properties, required } = schema
  const musts: readonly unknown[] = Array.isArray(required) ? required : []
  const fields = Object.entries(fieldsOf(properties))
  const read = fields.flatMap(([name, value]) => readField(name, value, musts.includes(name)))
  return read.length === fields.length ? read : null
}

function readField(name: string, value: unknown, required: boolean): readonly FormField[] {
  const schema = fieldsOf(value)
  const choices = Array.isArray(schema['enum']) ? schema['enum'].filter(each => typeof each === 'string') : []
  const kind = choices.length > 0 ? 'choice' : kinds[textIn(schema, 'type') ?? 'string']
  if (kind === undefined) return []
  const label = textIn(schema, 'title') ?? name
  return [{ name, label, description: textIn(schema, 'description'), kind, choices, required }]
}

const kinds: Readonly<Record<string, FormField['kind']>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'flag',
}

/** Reads form values from saved JSON; empty where it is not valid. */
export const writtenIn = (kept: Json, fields: readonly FormField[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    fields.flatMap(({ name, kind, choices }) => {
      const value = textIn(fieldsOf(kept), name)
      const isOne = kind !== 'choice' || choices.includes(value ?? '')
      return value !== null && isOne ? [[name, value]] : []
    }),
  )

/** The values in the requested types; null while a required one is missing. */
export function filledIn(fields: readonly FormField[], typed: Readonly<Record<string, string>>): Json | null {
  const values = fields.map(field => [field, valueOf(field, typed[field.name] ?? '')] as const)
  if (values.some(([{ required }, value]) => required && value === null)) return null
  return Object.fromEntries(values.flatMap(([{ name }, value]) => (value === null ? [] : [[name, value]])))
}

function valueOf({ kind }: FormField, typed: string): Json | null {
  if (kind === 'flag') return typed === 'yes'
  if (typed.trim() === '') return null
  if (kind !== 'number') return typed
  const number = Number(typed)
  return Number.isFinite(number) ? number : null
}
