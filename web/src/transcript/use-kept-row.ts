import { useMemo, useState, type FocusEvent } from 'react'
import type { Row } from './row.ts'

/** A row that stays however far it is scrolled away. */
export interface KeptRow {
  readonly indexes: readonly number[]
  readonly onFocus: (event: FocusEvent) => void
  readonly onBlur: (event: FocusEvent) => void
}

/** The row in which the focus is stays, so that neither the focus nor what is written there is lost. */
export function useKeptRow(rows: readonly Row[]): KeptRow {
  const [key, setKey] = useState<string | null>(null)
  const indexes = useMemo(() => {
    const at = key === null ? -1 : rows.findIndex(row => row.key === key)
    return at < 0 ? none : [at]
  }, [rows, key])
  return {
    indexes,
    onFocus: ({ target }) => setKey(target.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? null),
    onBlur: ({ relatedTarget }) => relatedTarget !== null && setKey(null),
  }
}

const none: readonly number[] = []
