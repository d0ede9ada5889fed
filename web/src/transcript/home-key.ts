import type { KeyboardEvent } from 'react'
import { isTyping } from '../keyboard/key-listener.ts'
import { leadTo } from './lead-to.ts'

/** Scrolls to the first message; false where there is none. */
export type LeadHome = (scroller: HTMLElement) => boolean

/** The state of the list: where its first row is, and whether older messages can be loaded. */
export interface HomeNow {
  readonly place: () => number | null
  readonly hasOlder: boolean
}

/**
 * How to scroll to the first message. The browser's own scrolling stops short of it: rows are measured only when
 * they are drawn, and older messages load when the start comes near. So the list is kept at its start until no
 * older messages are left.
 */
export const leadHomeTo =
  (now: { readonly current: HomeNow }, above: number, letGo: () => void): LeadHome =>
  scroller => {
    if (now.current.place() === null) return false
    letGo()
    leadTo(scroller, () => now.current.place(), { above, isMore: () => now.current.hasOlder })
    return true
  }

type Keys = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>

/** Whether it is the key for the beginning. */
export const isHome = ({ key, shiftKey, ctrlKey, altKey, metaKey }: Keys): boolean =>
  key === 'Home' && !shiftKey && !ctrlKey && !altKey && !metaKey

/** Scrolls to the first message on Home. Elements that use the key keep it. */
export const homeKey =
  (leadHome: LeadHome) =>
  (event: KeyboardEvent<HTMLElement>): void => {
    const { target, currentTarget } = event
    if (!isHome(event) || hasOwnUse(target as Element, currentTarget)) return
    if (leadHome(currentTarget)) event.preventDefault()
  }

/** Whether the focused element is editable, or inside its own scroll area. */
function hasOwnUse(target: Element, list: Element): boolean {
  if (isTyping(target)) return true
  for (let each: Element | null = target; each !== null && each !== list; each = each.parentElement)
    if (each.scrollHeight > each.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(each).overflowY))
      return true
  return false
}
