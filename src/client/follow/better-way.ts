import type { Timing } from '../timing.ts'
import { beginAttempt, type Attempt } from './attempt.ts'
import type { OpenSource } from './source.ts'

/** Somebody who looks now and then whether a better way than the one that is open can be had by now. */
export interface BetterWay {
  /** To be called at every look at the way that is open. */
  beat(): void
  end(): void
}

/** So many looks may pass without an attempt, at most. */
const mostBeats = 64

/**
 * Tries a better way beside the one that is open, and says when it opens. It may have been tried only while the server was
 * away, and streams of events take up the few connections that a browser has for all its tabs.
 */
export function createBetterWay(
  open: OpenSource,
  { timing, now }: { readonly timing: Timing; readonly now: () => number },
  found: () => void,
): BetterWay {
  let attempt: Attempt | null = null
  let beats = 0
  let next = 1
  const closed = () => {
    attempt = null
  }
  return {
    beat() {
      beats += 1
      if (attempt !== null || beats < next) return
      // Where there is none, it is tried more and more seldom.
      next = beats + Math.min(beats, mostBeats)
      try {
        attempt = beginAttempt(open, timing, now, { opened: found, frame() {}, beat() {}, closed })
      } catch {
        // It cannot even be tried, as where pages may not open sockets.
      }
    },
    end: () => attempt?.end(null),
  }
}
