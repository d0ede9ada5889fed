/** A number of bytes, for people: `512 B`, `1.2 kB`, `3.4 MB`. */
export function bytesText(bytes: number): string {
  const [unit, size] = units.findLast(([, least]) => bytes >= least) ?? ['B', 1]
  return unit === 'B' ? `${bytes} B` : `${(bytes / size).toFixed(1)} ${unit}`
}

/** A duration in milliseconds, for people: `0.4 s`, `12 s`, `3 min 5 s`. */
export function durationText(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  if (seconds < 59.5) return `${Math.round(seconds)} s`
  return `${Math.floor(Math.round(seconds) / 60)} min ${Math.round(seconds) % 60} s`
}

/** A number of tokens or the like, for people: `950`, `12.3k`, `4.5M`. */
export function countText(count: number): string {
  if (count < 1000) return String(count)
  return count < 999_950 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1e6).toFixed(1)}M`
}

/** A number and its noun: `1 entry`, `2 entries`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** A cost in US dollars, exact enough to be of use for a cheap request. */
export const costText = (dollars: number): string => `$${dollars.toFixed(dollars < 1 ? 4 : 2)}`

/** How long ago a time was, for people. */
export function agoText(at: number, now: number): string {
  const seconds = Math.max(0, (now - at) / 1000)
  if (seconds < 60) return 'just now'
  const [unit, size] = spans.findLast(([, least]) => seconds >= least) ?? spans[0]
  return `${Math.floor(seconds / size)} ${unit} ago`
}

const units = [
  ['B', 1],
  ['kB', 1e3],
  ['MB', 1e6],
  ['GB', 1e9],
  ['TB', 1e12],
] as const
const spans = [
  ['min', 60],
  ['h', 3600],
  ['d', 86_400],
] as const
