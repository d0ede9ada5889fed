import type { ReplayView } from './replay-fold.ts'
import type { TimeMachine } from './time-machine.ts'

/** Sends a time machine from wish to wish: only the last counts, and one journey is over before the next begins. */
export interface Traveller {
  goTo(seq: number): void
  stop(): void
}

/** Reports each position that it reached, and each error. */
export function createTraveller(
  machine: TimeMachine,
  arrived: (view: ReplayView) => void,
  failed: (error: unknown) => void,
): Traveller {
  let wish: number | null = null
  let journey: AbortController | null = null
  const travel = async () => {
    while (wish !== null) {
      const seq = wish
      wish = null
      const controller = new AbortController()
      journey = controller
      try {
        arrived(await machine.goTo(seq, controller.signal))
      } catch (error) {
        if (!controller.signal.aborted) failed(error)
      }
    }
    journey = null
  }
  return {
    goTo(seq) {
      wish = seq
      if (journey === null) void travel()
      // Going forward passes the entries in between anyway; going back does not.
      else if (seq < machine.view().seq) journey.abort()
    },
    stop() {
      wish = null
      journey?.abort()
    },
  }
}
