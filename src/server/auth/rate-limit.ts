/** Bounds how often something may be tried from each address. */
export interface RateLimit {
  /** Whether one more try is allowed now; it counts. */
  take(address: string): boolean
}

const mostAddresses = 10_000

/** A bucket of tries for each address; a used try comes back after a second. */
export function createRateLimit(tries: number, now: () => number): RateLimit {
  const buckets = new Map<string, { readonly used: number; readonly at: number }>()
  const usedNow = (address: string, time: number) => {
    const { used, at } = buckets.get(address) ?? { used: 0, at: time }
    // A clock that was set back gives nothing and takes nothing.
    return Math.max(0, used - Math.max(0, time - at) / 1000)
  }
  return {
    take(address) {
      const time = now()
      const used = usedNow(address, time)
      if (used + 1 > tries) return false
      // Put last, so that with too many addresses the one that was quiet longest is forgotten.
      buckets.delete(address)
      buckets.set(address, { used: used + 1, at: time })
      const [oldest] = buckets.size > mostAddresses ? buckets.keys() : []
      if (oldest !== undefined) buckets.delete(oldest)
      return true
    },
  }
}
