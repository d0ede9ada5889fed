import type { KeyboardEvent } from 'react'
import { isTyping } from '../commands/key-listener.ts'
import { leadTo } from './lead-to.ts'
import type { Row } from './row.ts'
import type { PlaceOf } from './use-places.ts'

/** Leads to the first row that is there; false where there is none. */
export type LeadHome = (scroller: HTMLElement) => boolean

/**
 * How the first row that is there is gone to. The browser's own way ends short of it where the rows at the beginning are measured
 * only then.
 */
export const leadHomeTo =
  (first: Row | undefined, placeOf: PlaceOf, above: number, letGo: () => void): LeadHome =>
  scroller => {
    if (first === undefined) return false
    letGo()
    leadTo(scroller, () => placeOf(first.key), { above })
    return true
  }

type Keys = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>

/** Whether it is the key that leads to the beginning everywhere. */
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

/** Whether what has the focus in a list is written in, or stands in something that is scrolled by itself. */
function hasOwnUse(target: Element, list: Element): boolean {
  if (isTyping(target)) return true
  for (let each: Element | null = target; each !== null && each !== list; each = each.parentElement)
    if (each.scrollHeight > each.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(each).overflowY))
      return true
  return false
}
