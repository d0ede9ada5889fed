import { useMemo, useState, type FocusEvent } from 'react'
import type { Row } from './row.ts'

/** Rows that stay however far they are scrolled away. */
export interface KeptRow {
  readonly indexes: readonly number[]
  readonly onFocus: (event: FocusEvent) => void
  readonly onBlur: (event: FocusEvent) => void
}

/** The row in which the focus is stays, so that neither the focus nor what is written there is lost; and so does what Tab leads to. */
export function useKeptRow(rows: readonly Row[]): KeptRow {
  const [key, setKey] = useState<string | null>(null)
  const indexes = useMemo(() => (key === null ? none : rowsAround(rows, key)), [rows, key])
  return {
    indexes,
    onFocus: ({ target }) => setKey(target.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? null),
    onBlur({ currentTarget, relatedTarget }) {
      // Moving to another row reports it next; the kept row must not disappear in between.
      if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setKey(null)
    },
  }
}

const none: readonly number[] = []

/** Rows that always have something to press; others may. */
const pressed = new Set<Row['kind']>([
  'prompt',
  'thinking',
  'tool',
  'printed',
  'subagent',
  'compaction',
  'footer',
])

/** So far away Tab is not looked out for. */
const most = 10

/** The range of a row, up to the nearest rows before and after it that contain controls. */
export function rowsAround(rows: readonly Row[], key: string): readonly number[] {
  const at = rows.findIndex(row => row.key === key)
  if (at < 0) return none
  const to = (step: 1 | -1) => {
    let end = at + step
    while (rows[end] !== undefined && !pressed.has(rows[end]?.kind ?? 'text') && Math.abs(end - at) < most)
      end += step
    return Math.min(Math.max(end, 0), rows.length - 1)
  }
  const first = to(-1)
  return Array.from({ length: to(1) - first + 1 }, (_, index) => first + index)
}
