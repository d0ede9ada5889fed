import type { Surroundings } from './surroundings.ts'

/** How long to wait after the given number of failures: longer each time, up to a bound, and never the same for all clients. */
export function retryDelay({ timing, random }: Surroundings, failures: number): number {
  const bound = Math.min(timing.retryMostMs, timing.retryFirstMs * 2 ** failures)
  // Half is fixed, so that a server that is down gets few requests; half is random, so that clients do not return together.
  return (bound * (1 + random())) / 2
}
