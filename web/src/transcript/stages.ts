import type { Row } from './row.ts'

/** What is drawn first of new rows, and whether it differs from the old ones only at the beginning. */
export interface Stage {
  readonly rows: readonly Row[]
  readonly isShift: boolean
}

/**
 * The list keeps what a person looks at in its place when rows come before it, but only if nothing changes at the end at
 * the same time; so the beginning comes first, and the end after it.
 */
export function stageOf(before: readonly Row[], after: readonly Row[]): Stage {
  if (before.length === 0 || after.length === 0 || before[0]?.key === after[0]?.key)
    return { rows: after, isShift: false }
  for (let at = before.length - 1; at >= Math.max(0, before.length - 8); at -= 1) {
    const found = after.findLastIndex(({ key }) => key === before[at]?.key)
    if (found < 0) continue
    if (after.length - found === before.length - at) return { rows: after, isShift: true }
    return { rows: [...after.slice(0, found + 1), ...before.slice(at + 1)], isShift: true }
  }
  return { rows: after, isShift: false }
}
