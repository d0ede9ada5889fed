import { isPassing } from './refusal.ts'
import { retryDelay } from './retry-delay.ts'
import type { Surroundings } from './surroundings.ts'

/** Retries until there is a reply. Permanent errors are thrown; temporary ones are passed to `failed`. */
export async function persist<Value>(
  surroundings: Surroundings,
  signal: AbortSignal,
  ask: () => Promise<Value>,
  failed: (error: Error) => void = () => {},
): Promise<Value> {
  const { pauses } = surroundings
  for (let failures = 0; ; failures += 1)
    try {
      signal.throwIfAborted()
      return await ask()
    } catch (error) {
      if (signal.aborted || pauses.isOver() || !isPassing(error)) throw error
      failed(error as Error)
      await pauses.pause(retryDelay(surroundings, failures))
    }
}
