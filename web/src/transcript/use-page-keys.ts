import { useEffect, useRef, type RefObject } from 'react'
import { isFocusNowhere } from '../ui/rescue-focus.ts'
import { isHome, type LeadHome } from './home-key.ts'

const keys = new Set(['PageUp', 'PageDown', 'Home', 'End'])

/**
 * Whoever presses such a key before anything in the page has the focus means the conversation: it gets the focus, and with it what
 * the browser does by the key. The key itself has gone elsewhere by then, so what the conversation does by it is done here.
 */
export function usePageKeys(scroller: RefObject<HTMLElement | null>, leadHome: LeadHome): void {
  const newest = useRef(leadHome)
  useEffect(() => {
    newest.current = leadHome
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const element = scroller.current
      const isFree =
        (isFocusNowhere() || document.activeElement?.id === 'main') &&
        document.querySelector('dialog[open]') === null
      if (element === null || !isFree || !keys.has(event.key)) return
      element.focus({ preventScroll: true })
      if (isHome(event) && newest.current(element)) event.preventDefault()
    }
    window.addEventListener('keydown', press, true)
    return () => window.removeEventListener('keydown', press, true)
  }, [scroller])
}
