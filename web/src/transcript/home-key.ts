import type { KeyboardEvent } from 'react'
import { isTyping } from '../commands/key-listener.ts'
import { leadTo } from './lead-to.ts'
import type { Row } from './row.ts'
import type { PlaceOf } from './use-places.ts'

/**
 * Leads to the first row that is there by the key that does so everywhere. The browser's own way ends short of it where the rows
 * at the beginning are measured only then. What has a use for the key itself keeps it.
 */
export const homeKey =
  (first: Row | undefined, placeOf: PlaceOf, above: number, letGo: () => void) =>
  (event: KeyboardEvent<HTMLElement>): void => {
    const { key, target, currentTarget, shiftKey, ctrlKey, altKey, metaKey } = event
    if (key !== 'Home' || first === undefined || shiftKey || ctrlKey || altKey || metaKey) return
    if (hasOwnUse(target as Element, currentTarget)) return
    event.preventDefault()
    letGo()
    leadTo(currentTarget, () => placeOf(first.key), { above })
  }

/** Whether what has the focus in a list is written in, or stands in something that is scrolled by itself. */
function hasOwnUse(target: Element, list: Element): boolean {
  if (isTyping(target)) return true
  for (let each: Element | null = target; each !== null && each !== list; each = each.parentElement)
    if (each.scrollHeight > each.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(each).overflowY))
      return true
  return false
}
