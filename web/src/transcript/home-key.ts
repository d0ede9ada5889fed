import type { KeyboardEvent } from 'react'
import { isTyping } from '../keyboard/key-listener.ts'
import { leadTo } from './lead-to.ts'

/** Leads to the first message; false where there is none. */
export type LeadHome = (scroller: HTMLElement) => boolean

/** The state of the list: where its first row is, and whether older messages can be loaded. */
export interface HomeNow {
  readonly place: () => number | null
  readonly hasOlder: boolean
}

/**
 * How the first message is gone to. The browser's own way ends short of it: rows are measured only when they are drawn, and older
 * messages are loaded when the beginning comes near. So the list is kept at its beginning until no older ones are left.
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

/** Leads home by that key. What has a use for the key itself keeps it. */
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
