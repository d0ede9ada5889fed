import type { UsageFilter, UsageRead } from '../catalogue/read-usage.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { LiveSessions } from './live-sessions.ts'
import { recover } from './recover.ts'

/**
 * Reads what was used across sessions. Those whose rows were written by an older version are opened, once, beside it:
 * that makes their rows anew, and they count from then on.
 */
export function createUsageReader(lives: LiveSessions) {
  const { catalogue, now } = lives.host
  const renewed = new Set<SessionId>()
  return async (filter: Omit<UsageFilter, 'now'>): Promise<UsageRead & { readonly waiting: number }> => {
    await lives.settled()
    const outdated = await catalogue.outdated()
    const fresh = outdated.filter(session => !renewed.has(session))
    fresh.forEach(session => renewed.add(session))
    void recover(lives, fresh)
    return { ...(await catalogue.usage({ ...filter, now: now() })), waiting: outdated.length }
  }
}
