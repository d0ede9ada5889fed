/** How many frames in a row the target must rest: rows are measured only when they are drawn. */
const stillFrames = 20

/** Events that mean the user is going elsewhere. */
const signs = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const
/**
 * User actions anywhere stop the scrolling: the "Jump to latest" button is next to the list. The key that
 * started it does not count.
 */
const anywhere = { passive: true, capture: true } as const

interface Leading {
  /** How much above the target stays visible. */
  readonly above: number
  readonly leastMs?: number
  /** Whether the position will change again because more is loading. */
  readonly isMore?: () => boolean
}

/**
 * Scrolls to a target that moves while rows are measured, and follows it until it rests, is gone, or the time is
 * over; or until the user acts. The list's own scrolling can't be cancelled, and would pull the user back.
 * Returns a function that stops it.
 */
export function leadTo(
  scroller: HTMLElement,
  placeNow: () => number | null,
  { above, leastMs = 0, isMore = () => false }: Leading,
): () => void {
  const until = performance.now() + leastMs
  let still = 0
  let frame = 0
  const step = () => {
    const place = placeNow()
    if (place !== null) {
      const isThere = isAt(scroller, place - above)
      if (!isThere) scroller.scrollTop = reachable(scroller, place - above)
      still = isThere ? still + 1 : 0
    }
    if (performance.now() >= until && !isMore() && (place === null || still >= stillFrames)) stop()
    else frame = requestAnimationFrame(step)
  }
  const stop = () => {
    cancelAnimationFrame(frame)
    for (const sign of signs) window.removeEventListener(sign, stop, anywhere)
  }
  for (const sign of signs) window.addEventListener(sign, stop, anywhere)
  step()
  return stop
}

/** Whether a list is scrolled to a position, or as near as its ends allow. */
export const isAt = (scroller: HTMLElement, place: number): boolean =>
  Math.abs(scroller.scrollTop - reachable(scroller, place)) <= 1

const reachable = ({ scrollHeight, clientHeight }: HTMLElement, place: number) =>
  Math.max(0, Math.min(place, scrollHeight - clientHeight))
