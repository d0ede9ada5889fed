import type { OwnedSession } from '../own/owned-session.ts'
import type { Reply } from './reply.ts'

/** Continues held prompts, which were queued when an earlier server ended: a person confirms them. */
export async function continueQueue(owned: OwnedSession): Promise<Reply<'continue'>> {
  const { size } = owned.held
  owned.held.clear()
  owned.proceed()
  return { prompts: size }
}
