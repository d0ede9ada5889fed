import { setImmediate } from 'node:timers/promises'
import type { Steps } from '../protocol/steps.ts'

/** How long work may run before other work gets its turn. */
const sliceMs = 8

/** Gives other work its turn when the last time is long ago. For work that would block the server as a whole. */
export function createBreaks(now: () => number = () => performance.now()): () => Promise<void> {
  let since = now()
  return async () => {
    if (now() - since < sliceMs) return
    await setImmediate()
    since = now()
  }
}

/** Runs steps, with breaks for other work. */
export async function inSlices<Result>(steps: Steps<Result>, now?: () => number): Promise<Result> {
  const takeBreak = createBreaks(now)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await takeBreak()
  }
}
