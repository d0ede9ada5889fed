import { useEffect, type RefObject } from 'react'

const keys = new Set(['PageUp', 'PageDown', 'Home', 'End'])

/** Whoever presses such a key before anything has the focus means the conversation: it gets the focus, and with it the key. */
export function usePageKeys(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const press = ({ key }: KeyboardEvent) => {
      const isFree =
        document.activeElement === document.body && document.querySelector('dialog[open]') === null
      if (keys.has(key) && isFree) scroller.current?.focus({ preventScroll: true })
    }
    window.addEventListener('keydown', press, true)
    return () => window.removeEventListener('keydown', press, true)
  }, [scroller])
}
