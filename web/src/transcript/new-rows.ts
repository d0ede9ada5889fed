import { kinds, type Row } from './row.ts'

/** The last message or action; null when there is none. */
export const lastThing = (rows: readonly Row[]): string | null =>
  rows.findLast(({ kind }) => kinds[kind].isNews)?.key ?? null

/** How many messages and actions follow a row; none if it is missing. */
export function countAfter(rows: readonly Row[], key: string | null): number {
  // Its run of steps may have been folded since.
  const from = rows.findLastIndex(
    row => row.key === key || (row.kind === 'steps' && row.steps.some(step => step.key === key)),
  )
  if (from < 0) return 0
  let count = 0
  for (let at = from + 1; at < rows.length; at += 1) if (kinds[rows[at]?.kind ?? 'day'].isNews) count += 1
  return count
}
