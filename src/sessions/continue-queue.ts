import type { LiveSession } from './live-session.ts'
import type { Reply } from './reply.ts'

/** Lets prompts go on that were queued when an earlier server ended: a person says that they are still wanted. */
export async function continueQueue(live: LiveSession): Promise<Reply<'continue'>> {
  const { size } = live.held
  live.held.clear()
  live.proceed()
  return { prompts: size }
}
