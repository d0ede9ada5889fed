import type { Pauses } from './pauses.ts'
import type { Timing } from './timing.ts'

/** What everything in a client that waits, measures or chooses by chance is given. */
export interface Surroundings {
  readonly timing: Timing
  readonly now: () => number
  readonly random: () => number
  readonly pauses: Pauses
}
