import type { UsageFilter, UsageRead } from '../catalogue/read-usage.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { LiveSessions } from './live-sessions.ts'
import { recover } from './recover.ts'

/** Which use to sum up; that of demos only when it is asked for. */
export interface UsageWish extends Omit<UsageFilter, 'now' | 'without'> {
  readonly demo?: boolean
}

/**
 * Reads what was used across sessions. Those whose rows were written by an older version are opened, once, beside it:
 * that makes their rows anew, and they count from then on.
 */
export function createUsageReader(lives: LiveSessions) {
  const { catalogue, now, agents } = lives.host
  const demos = [...agents.values()].filter(({ isDemo }) => isDemo).map(({ name }) => name)
  const renewed = new Set<SessionId>()
  return async ({
    demo = false,
    ...filter
  }: UsageWish): Promise<UsageRead & { readonly waiting: number }> => {
    await lives.settled()
    const outdated = await catalogue.outdated()
    const fresh = outdated.filter(session => !renewed.has(session))
    fresh.forEach(session => renewed.add(session))
    void recover(lives, fresh)
    return {
      ...(await catalogue.usage({ ...filter, without: demo ? [] : demos, now: now() })),
      waiting: outdated.length,
    }
  }
}
