/** For so many frames in a row it must stay where it was brought: rows on the way are measured only when they are drawn. */
const stillFrames = 20

/** What a person does who looks for something else. */
const signs = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const
/** Wherever it is done: the button that leads to the newest stands beside the list. A key that led somewhere is past this. */
const anywhere = { passive: true, capture: true } as const

interface Leading {
  /** How much of what stands above is seen, too. */
  readonly above: number
  readonly leastMs?: number
  /** Whether the place will move again, as long as more is loaded. */
  readonly isMore?: () => boolean
}

/**
 * Scrolls to a place that moves while rows are measured, and keeps to it until it rests, or there is none, and the time is over;
 * or until the person does something. The list's own way of doing so cannot be stopped, and would take back who has gone
 * elsewhere meanwhile. Gives the way to stop it.
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

/** Whether a list is scrolled to a place, or as near as its ends let it. */
export const isAt = (scroller: HTMLElement, place: number): boolean =>
  Math.abs(scroller.scrollTop - reachable(scroller, place)) <= 1

const reachable = ({ scrollHeight, clientHeight }: HTMLElement, place: number) =>
  Math.max(0, Math.min(place, scrollHeight - clientHeight))
