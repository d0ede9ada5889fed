import { useEffect, useRef, type RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'
import type { Row } from './row.ts'

/** So long after it was wanted a row is led to again when others come before it. */
const settleMs = 1500
/** What stands above it is seen, too. */
const above = 96

/** Leads to a row, and stays there while the list settles, unless the person does something. */
export function useLead(
  list: RefObject<VirtualizerHandle | null>,
  rows: readonly Row[],
  wanted: { readonly key: string } | null,
  letGo: () => void,
): void {
  const lead = useRef<{ readonly key: string; readonly until: number } | null>(null)
  useEffect(() => {
    lead.current = wanted && { key: wanted.key, until: performance.now() + settleMs }
    const stop = () => {
      lead.current = null
    }
    // Wherever it is done: the button that leads to the newest stands beside the list.
    for (const sign of signs) window.addEventListener(sign, stop, { passive: true })
    return () => signs.forEach(sign => window.removeEventListener(sign, stop))
  }, [wanted])
  useEffect(() => {
    if (lead.current === null || performance.now() > lead.current.until) return
    const { key } = lead.current
    const at = rows.findIndex(row => row.key === key)
    if (at < 0) return
    letGo()
    list.current?.scrollToIndex(at, { align: 'start', offset: -above })
  }, [wanted, rows, list, letGo])
}

/** What a person does who looks for something else. */
const signs = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const
