import type { OwnedSession } from '../own/owned-session.ts'
import type { Reply } from './reply.ts'

/** Lets prompts go on that were queued when an earlier server ended: a person says that they are still wanted. */
export async function continueQueue(owned: OwnedSession): Promise<Reply<'continue'>> {
  const { size } = owned.held
  owned.held.clear()
  owned.proceed()
  return { prompts: size }
}
