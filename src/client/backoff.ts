import type { Surroundings } from './surroundings.ts'

/** How long to wait before each attempt: longer and longer, up to a bound, and never all clients at once. */
export interface Backoff {
  readonly next: () => number
  readonly reset: () => void
}

/** Starts with no failure known. */
export function createBackoff({ timing, random }: Pick<Surroundings, 'timing' | 'random'>): Backoff {
  let failures = 0
  return {
    next() {
      const bound = Math.min(timing.retryMostMs, timing.retryFirstMs * 2 ** failures++)
      // Half is certain, so that a server that is down is not asked in a rush; half is chance, so that not all come at once.
      return (bound * (1 + random())) / 2
    },
    reset() {
      failures = 0
    },
  }
}
