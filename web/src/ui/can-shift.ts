import type { VListHandle } from 'virtua'

/**
 * Whether a list can keep its scroll position when rows are added before. A list without a known size, or too
 * short to scroll, would wait for a scroll event that never comes, and draw no new rows.
 */
export const canShift = (list: Pick<VListHandle, 'viewportSize' | 'scrollSize'> | null): boolean =>
  list !== null && list.viewportSize > 0 && list.scrollSize > list.viewportSize
