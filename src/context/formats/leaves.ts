import type { Json } from '../../protocol/json.ts'

/** One value at the end of a path; an empty list or object counts as one. */
export interface Leaf {
  /** A JSON pointer. */
  readonly path: string
  readonly value: Json
}

/** All leaves of a JSON value, in order. */
export function leavesOf(json: Json, path = ''): readonly Leaf[] {
  if (typeof json !== 'object' || json === null) return [{ path, value: json }]
  const entries = Object.entries(json as { readonly [key: string]: Json })
  if (entries.length === 0) return [{ path, value: json }]
  return entries.flatMap(([key, value]) =>
    leavesOf(value, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
}

/** The leaves of one value that another does not have: neither at the same path nor, unmatched, at any other. */
export function missingLeaves(of: readonly Leaf[], among: readonly Leaf[]): readonly Leaf[] {
  const there = new Set(among.map(keyOf))
  const elsewhere = of.filter(leaf => !there.has(keyOf(leaf)))
  if (elsewhere.length === 0) return []
  const taken = new Set(of.map(keyOf))
  const spare = among.filter(leaf => !taken.has(keyOf(leaf))).map(({ value }) => JSON.stringify(value))
  return elsewhere.filter(({ value }) => {
    const at = spare.indexOf(JSON.stringify(value))
    if (at !== -1) spare.splice(at, 1)
    return at === -1
  })
}

const keyOf = ({ path, value }: Leaf) => `${path} ${JSON.stringify(value)}`
