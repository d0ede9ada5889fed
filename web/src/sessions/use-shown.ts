import { useEffect, useRef, type RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'

/** Brings the row of the open session into sight whenever that is another one, or has come into the list. */
export function useShown(
  scroller: RefObject<HTMLElement | null>,
  virtual: RefObject<VirtualizerHandle | null>,
  here: string | null,
  /** Its row; below 0 while it is not listed. */
  at: number,
): void {
  const newest = useRef(at)
  useEffect(() => {
    newest.current = at
  })
  const isListed = at >= 0
  useEffect(() => {
    if (here === null || !isListed) return
    // A drawer is opened only after what is in it is there.
    const frame = requestAnimationFrame(() => {
      virtual.current?.scrollToIndex(newest.current, { align: 'nearest' })
      bringIn(scroller.current)
    })
    return () => cancelAnimationFrame(frame)
  }, [scroller, virtual, here, isListed])
}

/** Not by `scrollIntoView`, which may move what is around the list as well. */
function bringIn(scroller: HTMLElement | null): void {
  const row = scroller?.querySelector('[aria-current=page]')?.getBoundingClientRect()
  const frame = scroller?.getBoundingClientRect()
  if (!scroller || !row || !frame || (row.top >= frame.top && row.bottom <= frame.bottom)) return
  scroller.scrollTop += row.top - frame.top - (frame.height - row.height) / 2
}
