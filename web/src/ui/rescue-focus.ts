import { useEffect, useRef } from 'react'
import type { Place } from '../places.ts'

/** Whether the focused element is gone, or there was none. */
export const isFocusNowhere = (): boolean =>
  document.activeElement === null || document.activeElement === document.body

/** Focuses the page, or the dialog over it, when the focused element is gone. */
export function rescueFocus(): void {
  if (!isFocusNowhere()) return
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  const place = dialog?.querySelector<HTMLElement>('button') ?? document.getElementById('main')
  place?.focus()
}

/** When the focused element disappears with its page, the new page gets the focus. */
export function useRescuedFocus(place: Place): void {
  const before = useRef(place)
  useEffect(() => {
    if (before.current === place) return
    before.current = place
    rescueFocus()
  }, [place])
}
