/** For so many frames in a row it must stay where it was brought: rows on the way are measured only when they are drawn. */
const stillFrames = 20

/**
 * Scrolls to a place that moves while rows are measured, and keeps to it until it rests and the time is over. The list's own way
 * of doing so cannot be stopped, and would take a person back who has gone elsewhere meanwhile. Gives the way to stop it.
 */
export function leadTo(scroller: HTMLElement, placeNow: () => number | null, leastMs: number): () => void {
  const until = performance.now() + leastMs
  let still = 0
  let frame = 0
  const step = () => {
    const place = placeNow()
    if (place !== null) {
      const wanted = Math.max(0, Math.min(place, scroller.scrollHeight - scroller.clientHeight))
      const isThere = Math.abs(scroller.scrollTop - wanted) <= 1
      if (!isThere) scroller.scrollTop = wanted
      still = isThere ? still + 1 : 0
    }
    const isOver = performance.now() >= until && (place === null || still >= stillFrames)
    if (!isOver) frame = requestAnimationFrame(step)
  }
  step()
  return () => cancelAnimationFrame(frame)
}
