import { useEffect, useRef } from 'react'
import type { Place } from '../places.ts'

/** Whether what had the focus is gone, or nothing ever had it. */
export const isFocusNowhere = (): boolean =>
  document.activeElement === null || document.activeElement === document.body

/** Puts the focus on the page, or into the dialog over it, where what had it is gone. */
export function rescueFocus(): void {
  if (!isFocusNowhere()) return
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  const place = dialog?.querySelector<HTMLElement>('button') ?? document.getElementById('main')
  place?.focus()
}

/** Who came by something that went away with its page goes on in the new one. */
export function useRescuedFocus(place: Place): void {
  const before = useRef(place)
  useEffect(() => {
    if (before.current === place) return
    before.current = place
    rescueFocus()
  }, [place])
}
