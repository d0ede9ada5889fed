import { signsOf } from '../text/fold-case.ts'

/** Texts that a match must have, in lower case: one text, all of several, or any of several. */
export type Need =
  | { readonly text: string }
  | { readonly all: readonly Need[] }
  | { readonly any: readonly Need[] }

/** An index of three signs cannot look for less. */
export const fewestSigns = 3

/** What to look for to find a text; null if it is too short. */
export function needOf(text: string): Need | null {
  const folded = signsOf(text)
  return Array.from(folded).length < fewestSigns ? null : { text: folded }
}

/** An index reads no deeper query. */
const deepest = 6

const depthOf = (need: Need): number =>
  'text' in need ? 0 : 1 + Math.max(...('all' in need ? need.all : need.any).map(depthOf))

const isUsable = (need: Need | null): need is Need => need !== null && depthOf(need) < deepest

/** All of several needs; those that are unknown or too deep ask for nothing. */
export function allOf(needs: readonly (Need | null)[]): Need | null {
  const known = needs.filter(isUsable).flatMap(need => ('all' in need ? need.all : [need]))
  return known.length > 1 ? { all: known } : (known[0] ?? null)
}

/** Any of several needs; if one of them is unknown or too deep, so is the whole. */
export function anyOf(needs: readonly (Need | null)[]): Need | null {
  if (needs.length === 0 || !needs.every(isUsable)) return null
  const known = needs.flatMap(need => ('any' in need ? need.any : [need]))
  return known.length > 1 ? { any: known } : (known[0] ?? null)
}
