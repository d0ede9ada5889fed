import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react'

/** Older messages, loaded as somebody comes near to where they would be. */
export interface Older {
  readonly state: 'idle' | 'loading' | { readonly problem: string }
  /** Loads a page if the beginning is near. */
  readonly look: () => void
  readonly load: () => void
}

/** So near to the beginning, in pixels, the page before is loaded. */
const near = 1200

/** How many messages come at a time: whoever goes far back takes longer steps. */
const steps = [50, 100, 200] as const

/** Null for `load`: there are no older ones. */
export function useOlder(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly unknown[],
  load: ((count: number) => Promise<unknown>) | null,
): Older {
  const [state, setState] = useState<Older['state']>('idle')
  const isBusy = useRef(false)
  const loaded = useRef(0)
  const run = useCallback(async () => {
    if (load === null || isBusy.current) return
    isBusy.current = true
    setState('loading')
    try {
      await load(steps[loaded.current] ?? steps[2])
      loaded.current += 1
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
  // A page may be too short to be scrolled, or the person may have come to its beginning already.
  useLayoutEffect(() => {
    const frame = requestAnimationFrame(look)
    return () => cancelAnimationFrame(frame)
  }, [rows.length, look])
  return { state, look, load: () => void run() }
}
