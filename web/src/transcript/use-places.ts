import { useCallback, useEffect, useRef, type RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'
import type { Row } from './row.ts'

/** The offset of a row in the scrolled content; null where there is no such row. */
export type PlaceOf = (key: string) => number | null

/** Row positions, which change as rows are measured or added above; `margin` is the height before the list. */
export function usePlaces(
  list: RefObject<VirtualizerHandle | null>,
  rows: readonly Row[],
  margin: number,
): PlaceOf {
  const newest = useRef(rows)
  useEffect(() => {
    newest.current = rows
  })
  return useCallback(
    key => {
      const at = newest.current.findIndex(row => row.key === key)
      return at < 0 || list.current === null ? null : list.current.getItemOffset(at) + margin
    },
    [list, margin],
  )
}
