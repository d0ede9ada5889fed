import type { VListHandle } from 'virtua'

/**
 * Whether a list can keep what is in sight in its place when lines come before it. One that does not know its size yet, or has no
 * room to be scrolled, waits for a scrolling that never comes, and draws nothing new.
 */
export const canShift = (list: Pick<VListHandle, 'viewportSize' | 'scrollSize'> | null): boolean =>
  list !== null && list.viewportSize > 0 && list.scrollSize > list.viewportSize
