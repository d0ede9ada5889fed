/** Dollars with as many decimals as are useful. */
export const dollars = (cost: number): string =>
  `$${cost >= 1 || cost === 0 ? cost.toFixed(2) : cost.toFixed(cost >= 0.01 ? 3 : 4)}`

/** Dollars in as few characters as possible: <$0.01, $1.20, $125. */
export const roughly = (cost: number): string =>
  cost < 0.01 ? '<$0.01' : `$${cost.toFixed(cost < 99.995 ? 2 : 0)}`

/** A short count: 950, 12.4k, 3.1M. */
export function short(count: number): string {
  if (count < 1000) return String(count)
  if (count < 1_000_000) return `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)}k`
  return `${(count / 1_000_000).toFixed(1)}M`
}

/** A short size in bytes. */
export function bytes(count: number): string {
  if (count < 1024) return `${count} B`
  if (count < 1024 * 1024) return `${(count / 1024).toFixed(1)} KiB`
  return `${(count / 1024 / 1024).toFixed(1)} MiB`
}

/** A number with its noun: 1 session, 2 sessions, 12.4k tokens. */
export const counted = (count: number, one: string, write: (count: number) => string = String): string =>
  `${write(count)} ${one}${count === 1 ? '' : 's'}`
