const minute = 60_000
const day = 24 * 60 * minute

/** A short duration: 340 ms, 2.4 s, 3 min 05 s. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < minute) return `${(ms / 1000).toFixed(1)} s`
  const [minutes, seconds] = [Math.floor(ms / minute), Math.floor((ms % minute) / 1000)]
  if (minutes < 60) return `${minutes} min ${String(seconds).padStart(2, '0')} s`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
}

/** A short relative time: now, 5 min, 3 h, or the date. */
export function ago(at: number, now: number): string {
  const passed = now - at
  if (passed < minute) return 'now'
  if (passed < 60 * minute) return `${Math.floor(passed / minute)} min`
  if (passed < day) return `${Math.floor(passed / (60 * minute))} h`
  return new Date(at).toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
}

/** The time of day and the date, in full. */
export const inFull = (at: number): string =>
  new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
