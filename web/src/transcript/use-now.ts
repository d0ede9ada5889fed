import { useEffect, useState } from 'react'

/** The current time, updated every second while needed. */
export function useNow(isNeeded: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isNeeded) return
    const tick = () => setNow(Date.now())
    // It may not have been updated for a while.
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [isNeeded])
  return now
}

/** How long ago something started, in whole seconds, so that it does not flicker. */
export function elapsed(since: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - since) / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
}

/** The last known state of something that may have ended. */
export const lostWords = (doing: string, start: number | null, lost: number): string =>
  `Was ${doing}${start === null ? '' : ` for ${elapsed(start, lost)}`} when the connection was lost`
