import { useEffect, type RefObject } from 'react'
import { leadTo } from './lead-to.ts'
import type { PlaceOf } from './use-places.ts'

/** At least so long a row that was wanted is kept in its place: others may come before it. */
const settleMs = 1500
/** What stands above it is seen, too. */
const above = 96

/** Leads to a row, and stays there while the list settles, unless the person does something. */
export function useLead(
  scroller: RefObject<HTMLElement | null>,
  placeOf: PlaceOf,
  wanted: { readonly key: string } | null,
  letGo: () => void,
): void {
  useEffect(() => {
    if (wanted === null || scroller.current === null) return
    letGo()
    return leadTo(scroller.current, () => placeOf(wanted.key), { above, leastMs: settleMs })
  }, [wanted, scroller, placeOf, letGo])
}
