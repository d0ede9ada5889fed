import fc from 'fast-check'
import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { isList, without } from '../look.ts'
import { json } from './words.arbitrary.ts'

type Change =
  | { readonly kind: 'replace'; readonly value: Json }
  | { readonly kind: 'remove' }
  | { readonly kind: 'repeat' }
  | { readonly kind: 'swap' }
  | { readonly kind: 'add'; readonly value: Json }

const change: fc.Arbitrary<Change> = fc.oneof(
  json.map(value => ({ kind: 'replace', value }) as const),
  fc.constantFrom('', '\n\n').map(value => ({ kind: 'replace', value }) as const),
  fc.constant({ kind: 'remove' } as const),
  fc.constant({ kind: 'repeat' } as const),
  fc.constant({ kind: 'swap' } as const),
  json.map(value => ({ kind: 'add', value }) as const),
)

/** A document with some of its places changed: replaced, removed, repeated, swapped, added to. */
export const wild = (document: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc
    .tuple(
      document,
      fc.array(fc.tuple(fc.array(fc.nat(), { minLength: 1, maxLength: 5 }), change), {
        minLength: 1,
        maxLength: 4,
      }),
    )
    .map(([before, changes]) => changes.reduce((now, [way, how]) => changed(now, way, how), before))

/** Goes down by numbers, and does the change at the end of the way or where it can go no further. */
function changed(at: Json, [turn = 0, ...rest]: readonly number[], how: Change): Json {
  const keys = typeof at === 'object' && at !== null ? Object.keys(at) : []
  const key = keys[turn % Math.max(keys.length, 1)]
  if (key === undefined) return how.kind === 'replace' ? how.value : at
  const inner = (at as Readonly<Record<string, Json>>)[key] ?? null
  const canGoOn =
    rest.length > 0 && typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0
  if (canGoOn) return with_(at, key, changed(inner, rest, how))
  if (isList(at)) return changedList(at, Number(key), how)
  return isObject(at) ? changedObject(at, key, how) : at
}

function changedObject(at: JsonObject, key: string, how: Change): Json {
  if (how.kind === 'remove') return without(at, key)
  if (how.kind === 'add') return { ...at, added: how.value }
  return how.kind === 'replace' ? with_(at, key, how.value) : at
}

const with_ = (at: Json, key: string, value: Json): Json =>
  isList(at)
    ? at.map((item, index) => (String(index) === key ? value : item))
    : Object.fromEntries(
        Object.entries(at as object).map(([name, old]) => [name, name === key ? value : (old as Json)]),
      )

function changedList(list: readonly Json[], at: number, how: Change): Json {
  const item = list[at] ?? null
  switch (how.kind) {
    case 'replace':
      return list.with(at, how.value)
    case 'remove':
      return list.toSpliced(at, 1)
    case 'repeat':
      return list.toSpliced(at, 0, item)
    case 'swap':
      return list.toSpliced(at, 1).toSpliced(at + 1, 0, item)
    case 'add':
      return list.toSpliced(at, 0, how.value)
  }
}
