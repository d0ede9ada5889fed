import { diffWordsWithSpace } from 'diff'
import type { Hunk } from './file-diff.ts'

/** A piece of a changed line. */
export interface Piece {
  readonly text: string
  readonly changed: boolean
}

/** Lines longer than this, and hunks with more pairs than this, are compared as lines only. */
const limits = { characters: 600, pairs: 120 }

/** Which words differ between a removed line and the added line that replaced it, by position in the hunk. */
export function changedWords(hunk: Hunk): ReadonlyMap<number, readonly Piece[]> {
  const found = new Map<number, readonly Piece[]>()
  for (const [before, after] of pairsIn(hunk).slice(0, limits.pairs)) {
    const [from = '', to = ''] = [hunk[before]?.text, hunk[after]?.text]
    if (from.length > limits.characters || to.length > limits.characters) continue
    const changes = diffWordsWithSpace(from, to)
    const same = changes.filter(({ added, removed }) => !added && !removed)
    const kept = same.reduce((sum, { value }) => sum + value.trim().length, 0)
    // Lines with little in common are different lines: marking almost all of them is useless.
    if (kept * 3 < Math.max(from.trim().length, to.trim().length)) continue
    const pieces = (leave: 'added' | 'removed') =>
      changes
        .filter(each => !each[leave])
        .map(({ value, added, removed }) => ({ text: value, changed: added || removed }))
    found.set(before, pieces('added'))
    found.set(after, pieces('removed'))
  }
  return found
}

/** Removed lines and the added ones in their places: the first with the first, and so on. */
function pairsIn(hunk: Hunk): readonly (readonly [before: number, after: number])[] {
  const pairs: [number, number][] = []
  let at = 0
  while (at < hunk.length) {
    const gone = runFrom(hunk, at, '-')
    const come = runFrom(hunk, at + gone, '+')
    for (let each = 0; each < Math.min(gone, come); each += 1) pairs.push([at + each, at + gone + each])
    at += Math.max(1, gone + come)
  }
  return pairs
}

function runFrom(hunk: Hunk, at: number, sign: '+' | '-'): number {
  let count = 0
  while (hunk[at + count]?.sign === sign) count += 1
  return count
}
