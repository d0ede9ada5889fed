import type { Row } from './row.ts'

/** What is drawn first of new rows, and whether it differs from the old ones only at the beginning. */
export interface Stage {
  readonly rows: readonly Row[]
  readonly isShift: boolean
}

/** So many rows at the beginning may go when others come before them: a day begins earlier than was known. */
const mostGone = 8

/**
 * The list keeps what a person looks at in its place when rows come before it, but only if nothing else changes at the same
 * time; so the beginning comes first, and the rest after it.
 */
export function stageOf(before: readonly Row[], after: readonly Row[]): Stage {
  if (before.length === 0 || before[0]?.key === after[0]?.key) return { rows: after, isShift: false }
  for (const [gone, { key }] of before.slice(0, mostGone).entries()) {
    const come = after.findIndex(each => each.key === key)
    if (come < 0) continue
    const rows = [...after.slice(0, come), ...before.slice(gone)]
    return { rows: isAlike(rows, after) ? after : rows, isShift: come > gone }
  }
  return { rows: after, isShift: false }
}

const isAlike = (some: readonly Row[], others: readonly Row[]): boolean =>
  some.length === others.length && some.every(({ key }, at) => key === others[at]?.key)
