import type { Json, OptionSchema, OptionsSchema } from 'dragoman'

/** The values of options, by their names. */
export type OptionValues = Readonly<Record<string, Json>>

/** An option and its name. */
export type NamedOption = readonly [name: string, option: OptionSchema]

/** Options that are offered at one place. */
export interface OfferedOptions {
  /** Next to the message. */
  readonly bar: readonly NamedOption[]
  readonly more: readonly NamedOption[]
  readonly advanced: readonly NamedOption[]
}

/** Where each option is offered; those of new sessions are left out for a session that exists. */
export function offeredOptions(schema: OptionsSchema, isNew: boolean): OfferedOptions {
  const all = Object.entries(schema.properties).filter(([, option]) => isNew || option['x-new'] !== true)
  const at = (place: OptionSchema['x-place']) => all.filter(([, option]) => option['x-place'] === place)
  return {
    bar: at('bar').filter(isPickable),
    more: [...at(undefined), ...at('bar').filter(isUnpickable)],
    advanced: at('advanced'),
  }
}

/** Whether its values are texts, so that they can be chosen from a list. */
const isPickable = ([, option]: NamedOption) => option.type === 'string' || knownValues(option).length > 0
const isUnpickable = (named: NamedOption) => !isPickable(named)

/** The values that are listed: all of them, or some of them. */
export const knownValues = ({ enum: all, examples = [], type }: OptionSchema): readonly Json[] =>
  all ?? (type === 'boolean' ? [true, false] : examples)

/** Whether other values than the listed ones are valid. */
export const isOpen = ({ enum: all, type }: OptionSchema): boolean => all === undefined && type !== 'boolean'

/** The display name of an option. */
export const titleOf = ([name, { title }]: NamedOption): string => title ?? name

/** The display name of a value. */
export function labelOf({ 'x-labels': labels = {} }: OptionSchema, value: Json): string {
  if (value === true) return 'Yes'
  if (value === false) return 'No'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return Object.hasOwn(labels, text) ? (labels[text] ?? text) : text
}

/** The warnings about the values that are set, in the order of the options. */
export const risksOf = (schema: OptionsSchema, values: OptionValues): readonly string[] =>
  Object.entries(schema.properties).flatMap(([name, { 'x-risks': risks = {} }]) => {
    const value = values[name]
    return typeof value === 'string' && Object.hasOwn(risks, value) ? (risks[value] ?? []) : []
  })

/** How a value is written in a field. */
export type FieldKind = 'choice' | 'number' | 'lines' | 'text' | 'json'

/** Which field an option needs. */
export function fieldKind(option: OptionSchema): FieldKind {
  if (!isOpen(option)) return 'choice'
  if (option.type === 'number' || option.type === 'integer') return 'number'
  if (option.type === 'string') return 'text'
  return option.type === 'array' && option.items?.type === 'string' ? 'lines' : 'json'
}

/** A value as text for its field. */
export function textOf(option: OptionSchema, value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  const kind = fieldKind(option)
  if (kind === 'lines' && Array.isArray(value)) return value.map(String).join('\n')
  if (typeof value === 'string') return value
  return kind === 'json' ? JSON.stringify(value, null, 2) : JSON.stringify(value)
}

/** The value of a text, null for an empty one; or what is wrong with it. */
export function readField(
  option: OptionSchema,
  text: string,
): { readonly value: Json } | { readonly problem: string } {
  if (text.trim() === '') return { value: null }
  switch (fieldKind(option)) {
    case 'text':
      return { value: text }
    case 'lines':
      return { value: text.split('\n').filter(line => line.trim() !== '') }
    case 'number':
      return Number.isFinite(Number(text)) ? { value: Number(text) } : { problem: 'Write a number.' }
    case 'choice':
      return { value: knownValues(option).find(value => textOf(option, value) === text) ?? text }
    case 'json':
      return readJson(option, text)
  }
}

function readJson(option: OptionSchema, text: string): ReturnType<typeof readField> {
  try {
    return { value: JSON.parse(text) as Json }
  } catch {
    // Without a type, a text is valid as it is.
    return option.type === undefined ? { value: text } : { problem: 'Write JSON, as in {"name": "value"}.' }
  }
}

/** What changes from some values to others, for the server: null removes an option. */
export const changesTo = (before: OptionValues, after: OptionValues): OptionValues =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(before[name] ?? null) !== JSON.stringify(value),
    ),
  )

/** The values after a change. */
export const afterChanges = (before: OptionValues, changes: OptionValues): OptionValues =>
  Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null))
