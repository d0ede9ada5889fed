import type { Row } from './row.ts'

/** Rows that count as new: messages and actions, not separators. */
const counted: ReadonlySet<Row['kind']> = new Set([
  'prompt',
  'meanwhile',
  'text',
  'tool',
  'printed',
  'subagent',
  'notice',
  'file',
])

/** The last message or action; null when there is none. */
export const lastThing = (rows: readonly Row[]): string | null =>
  rows.findLast(({ kind }) => counted.has(kind))?.key ?? null

/** How many messages and actions follow a row; none if it is missing. */
export function countAfter(rows: readonly Row[], key: string | null): number {
  const from = rows.findLastIndex(row => row.key === key)
  if (from < 0) return 0
  let count = 0
  for (let at = from + 1; at < rows.length; at += 1) if (counted.has(rows[at]?.kind ?? 'day')) count += 1
  return count
}
