import { useMemo, useState, type FocusEvent } from 'react'
import { kinds, type Row } from './row.ts'

/** Rows that stay however far they are scrolled away. */
export interface KeptRow {
  readonly indexes: readonly number[]
  readonly onFocus: (event: FocusEvent) => void
  readonly onBlur: (event: FocusEvent) => void
}

/**
 * The focused row stays mounted, so that neither the focus nor typed text is lost, and so do the rows that Tab
 * reaches.
 */
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

/** How many rows away Tab is considered. */
const most = 10

/** The range of a row, up to the nearest rows before and after it that contain controls. */
export function rowsAround(rows: readonly Row[], key: string): readonly number[] {
  const at = rows.findIndex(row => row.key === key)
  if (at < 0) return none
  const to = (step: 1 | -1) => {
    let end = at + step
    while (
      rows[end] !== undefined &&
      !kinds[rows[end]?.kind ?? 'text'].hasControls &&
      Math.abs(end - at) < most
    )
      end += step
    return Math.min(Math.max(end, 0), rows.length - 1)
  }
  const first = to(-1)
  return Array.from({ length: to(1) - first + 1 }, (_, index) => first + index)
}
