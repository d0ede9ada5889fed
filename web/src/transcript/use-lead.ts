import { useEffect, useRef, type RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { leadTo } from './lead-to.ts'
import type { Row } from './row.ts'

/** At least so long a row that was wanted is kept in its place: others may come before it. */
const settleMs = 1500
/** What stands above it is seen, too. */
const above = 96

/** Leads to a row, and stays there while the list settles, unless the person does something. */
export function useLead(
  { list, scroller }: { list: RefObject<VirtualizerHandle | null>; scroller: RefObject<HTMLElement | null> },
  rows: readonly Row[],
  wanted: { readonly key: string } | null,
  letGo: () => void,
): void {
  const newest = useRef(rows)
  useEffect(() => {
    newest.current = rows
  })
  useEffect(() => {
    if (wanted === null || scroller.current === null) return
    const placeNow = () => {
      const at = newest.current.findIndex(({ key }) => key === wanted.key)
      return at < 0 || list.current === null ? null : list.current.getItemOffset(at) - above
    }
    letGo()
    const stop = leadTo(scroller.current, placeNow, settleMs)
    // Wherever it is done: the button that leads to the newest stands beside the list.
    for (const sign of signs) window.addEventListener(sign, stop, { passive: true })
    return () => {
      stop()
      for (const sign of signs) window.removeEventListener(sign, stop)
    }
  }, [wanted, list, scroller, letGo])
}

/** What a person does who looks for something else. */
const signs = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const
