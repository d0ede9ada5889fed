import type { Row } from './row.ts'

/** What is worth counting: what somebody said or did, not what stands around it. */
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

/** The last thing that was said or done; null when there is none. */
export const lastThing = (rows: readonly Row[]): string | null =>
  rows.findLast(({ kind }) => counted.has(kind))?.key ?? null

/** How many things were said or done after one; none, if that is not there. */
export function countAfter(rows: readonly Row[], key: string | null): number {
  const from = rows.findLastIndex(row => row.key === key)
  if (from < 0) return 0
  let count = 0
  for (let at = from + 1; at < rows.length; at += 1) if (counted.has(rows[at]?.kind ?? 'day')) count += 1
  return count
}
