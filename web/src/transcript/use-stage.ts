import { useCallback, useLayoutEffect, useReducer, useRef, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import type { Row } from './row.ts'
import { stageOf, type Stage } from './stages.ts'

/** For so many frames older rows wait at most: what is not shown is not measured either. */
const mostFrames = 10

/** The rows to draw now, and callbacks for the list. */
export interface UsedStage extends Stage {
  readonly scrollEnded: () => void
}

/**
 * The rows to draw now; what is left for the next step is drawn at once after it. Rows that come before others wait until all that
 * are drawn are measured: the list takes what grows then for something that came before, and goes on for it.
 */
export function useStage(rows: readonly Row[], scroller: RefObject<HTMLElement | null>): UsedStage {
  const before = useRef<readonly Row[]>([])
  const waited = useRef(0)
  const [, again] = useReducer((count: number) => count + 1, 0)
  const stage = stageOf(before.current, rows)
  const isEarly = stage.isShift && waited.current < mostFrames && hasUnmeasured(scroller.current)
  const now = isEarly ? { rows: before.current, isShift: false } : stage
  // oxlint-disable-next-line react/exhaustive-deps -- each drawing is a step of its own, and the last one sets nothing
  useLayoutEffect(() => {
    before.current = now.rows
    if (isEarly) {
      waited.current += 1
      const frame = requestAnimationFrame(again)
      return () => cancelAnimationFrame(frame)
    }
    waited.current = 0
    if (now.rows !== rows) again()
    return undefined
  })
  // The list then draws more rows, which must exist before it is known whether all are measured.
  const scrollEnded = useCallback(() => flushSync(again), [])
  return { ...now, scrollEnded }
}

/** Whether a row is drawn of which the list does not know the size: until then it hides it. */
const hasUnmeasured = (scroller: HTMLElement | null): boolean =>
  scroller !== null && scroller.querySelector(':scope > div > div[style*="visibility: hidden"]') !== null
