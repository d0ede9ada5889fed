import type { Row } from './row.ts'

/** The prompt before or after a place in the list; null when there is none. */
export function nextPrompt(rows: readonly Row[], from: number, step: 1 | -1): Row | null {
  for (let at = from + step; at >= 0 && at < rows.length; at += step) {
    const row = rows[at]
    if (row?.kind === 'prompt') return row
  }
  return null
}
