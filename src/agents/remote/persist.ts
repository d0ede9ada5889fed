import { setTimeout as sleep } from 'node:timers/promises'
import { Lost, Refusal, whyLost } from './refusal.ts'

/** How long a call is retried, and who is notified. */
export interface Persistence {
  readonly patienceMs: number
  readonly signal: AbortSignal
  /** Called once, when the first attempt failed. */
  readonly onTrouble?: (why: string) => void
}

const firstPauseMs = 50
const longestPauseMs = 5_000

/** Waits before another attempt: longer each time, with a random part, so that many clients do not return at once. */
export async function pause(attempt: number, signal: AbortSignal): Promise<void> {
  const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempt, 16))
  await sleep(longest * (0.5 + Math.random() / 2), undefined, { signal, ref: false })
}

/** Retries an idempotent action until it succeeds or is refused; throws `Lost` when that takes too long. */
export async function persist<Result>(
  work: () => Promise<Result>,
  { patienceMs, signal, onTrouble }: Persistence,
): Promise<Result> {
  const until = performance.now() + patienceMs
  for (let attempt = 0; ; attempt += 1)
    try {
      return await work()
    } catch (error) {
      if (error instanceof Refusal || signal.aborted) throw error
      if (performance.now() >= until) throw new Lost(whyLost(error), { cause: error })
      if (attempt === 0) onTrouble?.(whyLost(error))
      await pause(attempt, signal)
    }
}
