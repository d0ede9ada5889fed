import type { Json } from '../../protocol/json.ts'
import type { Fields } from './fields.ts'
import { notice, type Op } from './parts/op.ts'

/** The known fields of one kind of object, each with the kinds of the objects in it, if these are checked too. */
export type Shape = ReadonlyMap<string, Kinds | null>

/** Objects of one kind, or of several distinguishable kinds. Other kinds are not checked. */
export interface Kinds {
  readonly shapeOf: (fields: Fields) => Shape | undefined
  /** The name of its kind; null for a nested object that needs no name. */
  readonly nameOf: (fields: Fields) => string | null
}

/** A kind of object by the names of its fields, separated by spaces. */
export function shape(fields: string, inside: Readonly<Record<string, Kinds>> = {}): Shape {
  return new Map(fields.split(/\s+/).map(field => [field, inside[field] ?? null]))
}

/** The kinds of a table of `fields.generated.ts`. */
export function shapesOf(
  table: Readonly<Record<string, string>>,
  make: (fields: string) => Shape = shape,
): Readonly<Record<string, Shape>> {
  return Object.fromEntries(Object.entries(table).map(([kind, fields]) => [kind, make(fields)]))
}

/** Objects whose kind is in a field, or is found by a function. */
export function kindsBy(
  name: string,
  field: string | ((fields: Fields) => Json | undefined),
  table: Readonly<Record<string, Shape>>,
): Kinds {
  const shapes: ReadonlyMap<Json | undefined, Shape> = new Map(Object.entries(table))
  const kindOf = typeof field === 'string' ? (fields: Fields) => fields[field] : field
  return {
    shapeOf: fields => shapes.get(kindOf(fields)),
    nameOf(fields) {
      const kind = kindOf(fields)
      return typeof kind === 'string' ? `${name} ${kind}`.trim() : name
    },
  }
}

/** Objects of one kind; without a name, they count as part of the object around them. */
export function oneKind(name: string | null, only: Shape): Kinds {
  return { shapeOf: () => only, nameOf: () => name }
}

/** An unknown field, with the kind of its object, and its value. */
interface Strange {
  readonly name: string
  readonly value: Json
}

const nothing: readonly Strange[] = []

/** Finds the unknown fields of a message and of the objects in it. Cheap if there are none. */
export function strangeIn(kinds: Kinds, message: Fields): readonly Strange[] {
  if (isKnown(kinds, message)) return nothing
  const found: Strange[] = []
  look(kinds, message, '', found)
  return found
}

/** Whether all fields of an object are known. Runs for every line, so it allocates nothing. */
function isKnown(kinds: Kinds, fields: Fields): boolean {
  const known = kinds.shapeOf(fields)
  if (known === undefined) return true
  for (const field in fields) {
    const inner = known.get(field)
    if (inner === undefined || (inner !== null && !isKnownInside(inner, fields[field]))) return false
  }
  return true
}

function isKnownInside(kinds: Kinds, value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (!Array.isArray(value)) return isKnown(kinds, value as Fields)
  for (const each of value as readonly Json[]) if (!isKnownInside(kinds, each)) return false
  return true
}

function look(kinds: Kinds, fields: Fields, around: string, found: Strange[]): void {
  const known = kinds.shapeOf(fields)
  if (known === undefined) return
  const name = kinds.nameOf(fields) ?? around
  for (const [field, value] of Object.entries(fields)) {
    const inner = known.get(field)
    if (inner === undefined) found.push({ name: `${name}.${field}`, value })
    else if (inner !== null) lookInside(inner, value, name, found)
  }
}

function lookInside(kinds: Kinds, value: Json, around: string, found: Strange[]): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) return look(kinds, value as Fields, around, found)
  for (const each of value as readonly Json[]) lookInside(kinds, each, around, found)
}

/** The unknown fields that a connection has shown, and how many more there were above the limit. */
export interface Shown {
  readonly names: ReadonlySet<string>
  readonly beyond: number
}

/** No unknown field was shown yet. */
export const nothingShown: Shown = { names: new Set(), beyond: 0 }

const most = 64

/** Shows unknown fields, each once per connection, because a new release may have them in every line. Above a limit, shows their number. */
export function showStrange(
  agent: string,
  before: Shown,
  found: readonly Strange[],
): { readonly ops: readonly Op[]; readonly shown: Shown } {
  const names = new Set(before.names)
  let { beyond } = before
  const ops: Op[] = []
  for (const { name, value } of found) {
    if (names.has(name)) continue
    if (names.size < most) {
      names.add(name)
      const data = { agent, kind: `field ${name}`, native: shortened(value) }
      ops.push({ type: 'show', chunk: { type: 'data-unknown', data } })
    } else beyond += 1
  }
  // Reported at 1, 2, 4, 8 …, not every time.
  if (beyond > before.beyond && Math.clz32(beyond) < Math.clz32(before.beyond)) ops.push(tooMany(beyond))
  return ops.length === 0 && beyond === before.beyond
    ? { ops, shown: before }
    : { ops, shown: { names, beyond } }
}

function tooMany(beyond: number): Op {
  const message = `At least ${beyond} more fields of unknown names came; they are kept in the native lines.`
  return notice('warning', 'unknown-fields', message, 'unknown-fields')
}

const longest = 4096

function shortened(value: Json): Json {
  const text = JSON.stringify(value)
  return text.length <= longest ? value : `${text.slice(0, longest)}…`
}
