import type { Json } from '../../../protocol/json.ts'
import { textOf, type Fields } from '../../kit/fields.ts'
import { parseJson } from '../../kit/parse-json.ts'

type Place = Record<string, Json> | Json[]

/** Adds pieces of a call's arguments, each under a path like `$.files[0].name`, to the known arguments as JSON. */
export function partialArguments(before: string, pieces: readonly Fields[]): string {
  if (pieces.length === 0) return before
  const known = (parseJson(before === '' ? '{}' : before) ?? {}) as Record<string, Json>
  for (const piece of pieces) put(known, segmentsOf(textOf(piece, 'jsonPath')), piece)
  return JSON.stringify(known)
}

const longest = 10_000

function segmentsOf(path: string): readonly (string | number)[] {
  const found = [...path.replace(/^\$/, '').matchAll(/\.([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]/g)]
  return found.map(([, name, index, quoted]) =>
    index === undefined ? (name ?? quoted ?? '') : Number(index),
  )
}

function put(known: Record<string, Json>, segments: readonly (string | number)[], piece: Fields): void {
  const value = valueOf(piece)
  if (segments.length === 0 || value === undefined || segments.some(isBad)) return
  let place: Place = known
  for (const [at, segment] of segments.slice(0, -1).entries()) {
    const next: Json | undefined = read(place, segment)
    const isPlace = typeof next === 'object' && next !== null
    const made: Place = isPlace ? (next as Place) : typeof segments[at + 1] === 'number' ? [] : {}
    if (!isPlace) write(place, segment, made)
    place = made
  }
  const last = segments.at(-1) ?? ''
  const before = read(place, last)
  write(place, last, typeof before === 'string' && typeof value === 'string' ? before + value : value)
}

const isBad = (segment: string | number) =>
  segment === '__proto__' || (typeof segment === 'number' && segment > longest)

function read(place: Place, segment: string | number): Json | undefined {
  return Array.isArray(place) ? place[Number(segment)] : place[String(segment)]
}

function write(place: Place, segment: string | number, value: Json): void {
  if (Array.isArray(place)) place[Number(segment)] = value
  else place[String(segment)] = value
}

function valueOf(piece: Fields): Json | undefined {
  const { stringValue, numberValue, boolValue } = piece
  if ('nullValue' in piece) return null
  return stringValue ?? numberValue ?? boolValue ?? undefined
}
