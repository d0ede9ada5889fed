import { foldCase } from '../text/fold-case.ts'

/** Texts that a match must have, in lower case: one text, all of several, or any of several. */
export type Need =
  | { readonly text: string }
  | { readonly all: readonly Need[] }
  | { readonly any: readonly Need[] }

/** An index of three signs cannot look for less. */
export const fewestSigns = 3

/** What to look for to find a text; null if it is too short. */
export function needOf(text: string): Need | null {
  const folded = foldCase(text)
  return Array.from(folded).length < fewestSigns ? null : { text: folded }
}

/** All of several needs; those that are unknown ask for nothing. */
export function allOf(needs: readonly (Need | null)[]): Need | null {
  const known = needs.filter(need => need !== null)
  return known.length > 1 ? { all: known } : (known[0] ?? null)
}

/** Any of several needs; if one of them is unknown, so is the whole. */
export function anyOf(needs: readonly (Need | null)[]): Need | null {
  const known = needs.filter(need => need !== null)
  if (known.length < needs.length || known.length === 0) return null
  return known.length > 1 ? { any: known } : (known[0] ?? null)
}
