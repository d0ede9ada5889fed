import type { Pauses } from './pauses.ts'
import type { Timing } from './timing.ts'

/** The timing, clock, random numbers and pauses that a client uses. */
export interface Surroundings {
  readonly timing: Timing
  readonly now: () => number
  readonly random: () => number
  readonly pauses: Pauses
}
