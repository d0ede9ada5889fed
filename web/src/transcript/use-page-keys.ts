import { useEffect, type RefObject } from 'react'
import { isFocusNowhere } from '../ui/rescue-focus.ts'

const keys = new Set(['PageUp', 'PageDown', 'Home', 'End'])

/** Whoever presses such a key before anything in the page has the focus means the conversation: it gets the focus, and with it the key. */
export function usePageKeys(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const press = ({ key }: KeyboardEvent) => {
      const isFree =
        (isFocusNowhere() || document.activeElement?.id === 'main') &&
        document.querySelector('dialog[open]') === null
      if (keys.has(key) && isFree) scroller.current?.focus({ preventScroll: true })
    }
    window.addEventListener('keydown', press, true)
    return () => window.removeEventListener('keydown', press, true)
  }, [scroller])
}
