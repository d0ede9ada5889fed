import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react'

/** Older messages, loaded as the user scrolls near them. */
export interface Older {
  readonly state: 'idle' | 'loading' | { readonly problem: string }
  /** About how many messages were loaded so far. */
  readonly loaded: number
  /** Loads a page if the beginning is near. */
  readonly look: () => void
  readonly load: () => void
}

/** So near to the beginning, in pixels, the page before is loaded. */
const near = 1200

/** How many messages are loaded at a time: more for users who scroll far back. */
const steps = [50, 100, 200] as const

/** Null for `load`: there are no older ones. */
export function useOlder(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly unknown[],
  load: ((count: number) => Promise<unknown>) | null,
): Older {
  const [state, setState] = useState<Older['state']>('idle')
  const isBusy = useRef(false)
  const pages = useRef(0)
  const [loaded, setLoaded] = useState(0)
  const run = useCallback(async () => {
    if (load === null || isBusy.current) return
    isBusy.current = true
    setState('loading')
    try {
      const count = steps[pages.current] ?? steps[2]
      await load(count)
      pages.current += 1
      setLoaded(before => before + count)
      setState('idle')
    } catch (error) {
      setState({ problem: error instanceof Error ? error.message : String(error) })
    }
    isBusy.current = false
  }, [load])
  const isBroken = typeof state === 'object'
  const look = useCallback(() => {
    const element = scroller.current
    if (element !== null && !isBroken && element.clientHeight > 0 && element.scrollTop < near) void run()
  }, [scroller, run, isBroken])
  // A page may be too short to scroll, or the user may be at its start already.
  useLayoutEffect(() => {
    const frame = requestAnimationFrame(look)
    return () => cancelAnimationFrame(frame)
  }, [rows.length, look])
  return { state, loaded, look, load: () => void run() }
}
