import { useCallback, useLayoutEffect, useReducer, useRef, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import type { Row } from './row.ts'

/** The most frames that older rows wait: rows that are not shown are not measured either. */
const mostFrames = 10

/** The rows to draw now, and callbacks for the list. */
export interface UsedStage extends Stage {
  readonly scrollEnded: () => void
}

/**
 * The rows to draw now; the rest is drawn right after them. Rows that are added before others wait until all
 * drawn rows are measured: the list would take their growth for rows added before, and scroll.
 */
export function useStage(rows: readonly Row[], scroller: RefObject<HTMLElement | null>): UsedStage {
  const before = useRef<readonly Row[]>([])
  const waited = useRef(0)
  const [, again] = useReducer((count: number) => count + 1, 0)
  const stage = stageOf(before.current, rows)
  const isEarly = stage.isShift && waited.current < mostFrames && hasUnmeasured(scroller.current)
  const now = isEarly ? { rows: before.current, isShift: false } : stage
  // oxlint-disable-next-line react/exhaustive-deps -- each render is one step, and the last one changes no state
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

/** The new rows to draw first, and whether they differ from the old ones only at the start. */
export interface Stage {
  readonly rows: readonly Row[]
  readonly isShift: boolean
}

/** This many rows at the start may disappear when others are added before them: a day starts earlier than known. */
const mostGone = 8

/**
 * The list keeps its scroll position when rows are added at the start, but only if nothing else changes at the
 * same time. So the start is drawn first, and the rest after it.
 */
export function stageOf(before: readonly Row[], after: readonly Row[]): Stage {
  if (before.length === 0 || before[0]?.key === after[0]?.key) return { rows: after, isShift: false }
  for (const [gone, { key }] of before.slice(0, mostGone).entries()) {
    const come = after.findIndex(each => each.key === key)
    if (come < 0) continue
    const rows = [...after.slice(0, come), ...before.slice(gone)]
    return { rows: isAlike(rows, after) ? after : rows, isShift: come > gone }
  }
  return { rows: after, isShift: false }
}

const isAlike = (some: readonly Row[], others: readonly Row[]): boolean =>
  some.length === others.length && some.every(({ key }, at) => key === others[at]?.key)
