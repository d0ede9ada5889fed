import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { lastThing } from './new-rows.ts'
import type { Row } from './row.ts'

/** Whether the list follows the newest message. */
export interface FollowEnd {
  readonly isFollowing: boolean
  /** The last message when the user left the end. */
  readonly seen: string | null
  /** Called on every scroll. */
  readonly scrolled: () => void
  /** Called when something changes its size. */
  readonly resized: () => void
  readonly toEnd: () => void
  readonly letGo: () => void
}

/** So near to the end counts as the end. */
const near = 48

/** Follows the end until the user scrolls up, and again when they come back. */
export function useFollowEnd(scroller: RefObject<HTMLElement | null>, rows: readonly Row[]): FollowEnd {
  const following = useRef(true)
  const pressed = useRef(false)
  const last = useRef({ top: 0, height: 0, room: 0 })
  const newest = useRef(rows)
  const [seen, setSeen] = useState<{ readonly key: string | null } | null>(null)

  const toBottom = useCallback(() => {
    const element = scroller.current
    if (!following.current || pressed.current || element === null) return
    element.scrollTop = element.scrollHeight
    last.current = { top: element.scrollTop, height: element.scrollHeight, room: element.clientHeight }
  }, [scroller])
  const letGo = useCallback(() => {
    if (!following.current) return
    following.current = false
    setSeen({ key: lastThing(newest.current) })
  }, [])
  const takeUp = useCallback(() => {
    following.current = true
    setSeen(null)
  }, [])
  const scrolled = useCallback(() => {
    const element = scroller.current
    if (element === null) return
    const { scrollTop: top, scrollHeight: height, clientHeight: room } = element
    // When the content shrinks or the area grows, the browser scrolls up by itself, but no further.
    const lessBelow = Math.max(0, last.current.height - height) + Math.max(0, room - last.current.room)
    const isUp = top < last.current.top - lessBelow - 1
    const isDown = top > last.current.top || height - room - top < 2
    last.current = { top, height, room }
    if (isUp) letGo()
    else if (isDown && !following.current && height - room - top < near) takeUp()
  }, [scroller, letGo, takeUp])
  const toEnd = useCallback(() => {
    takeUp()
    toBottom()
  }, [takeUp, toBottom])

  useLayoutEffect(() => {
    newest.current = rows
    toBottom()
  }, [rows, toBottom])
  useOwnWords(rows, toEnd)
  useLetGoByWheel(scroller, letGo)
  useStillWhilePressed(scroller, pressed, toBottom)
  return { isFollowing: seen === null, seen: seen?.key ?? null, scrolled, resized: toBottom, toEnd, letGo }
}

/** After sending a message the user wants to see it and the answer. */
function useOwnWords(rows: readonly Row[], toEnd: () => void): void {
  const last = rows.at(-1)
  const sent = last?.kind === 'outgoing' ? last.key : null
  useLayoutEffect(() => {
    if (sent !== null) toEnd()
  }, [sent, toEnd])
}

/**
 * A pressed element stays under the pointer until release: a click that starts on one element and ends on
 * another is lost.
 */
function useStillWhilePressed(
  scroller: RefObject<HTMLElement | null>,
  pressed: RefObject<boolean>,
  released: () => void,
): void {
  useEffect(() => {
    const element = scroller.current
    const press = ({ button, isPrimary }: PointerEvent) => {
      if (button === 0 && isPrimary) pressed.current = true
    }
    const release = () => {
      if (!pressed.current) return
      pressed.current = false
      // The click event follows, and must still hit its target.
      setTimeout(released)
    }
    // A menu or another window may consume the end of a press.
    const ends = ['pointerup', 'pointercancel', 'contextmenu', 'blur'] as const
    element?.addEventListener('pointerdown', press)
    for (const end of ends) window.addEventListener(end, release)
    return () => {
      element?.removeEventListener('pointerdown', press)
      for (const end of ends) window.removeEventListener(end, release)
    }
  }, [scroller, pressed, released])
}

/** The mouse wheel stops following at once, so that new text does not fight it. */
function useLetGoByWheel(scroller: RefObject<HTMLElement | null>, letGo: () => void): void {
  useEffect(() => {
    const element = scroller.current
    const turned = ({ deltaY }: WheelEvent) => {
      if (element !== null && deltaY < 0 && element.scrollTop > 0) letGo()
    }
    element?.addEventListener('wheel', turned, { passive: true })
    return () => element?.removeEventListener('wheel', turned)
  }, [scroller, letGo])
}
