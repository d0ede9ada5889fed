import type { UsageFilter, UsageRead } from '../../catalogue/read-usage.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { Host } from '../host.ts'
import type { SessionViews } from './session-view.ts'

/** Which usage to sum up; demo sessions only on request. */
export interface UsageWish extends Omit<UsageFilter, 'now' | 'without'> {
  readonly demo?: boolean
}

/** What is needed to read usage: views, and a promise that the catalogue has everything that is saved. */
export interface UsageParts {
  readonly host: Host
  readonly views: SessionViews
  settled(): Promise<void>
}

/**
 * Reads the usage across sessions. Sessions whose rows were written by an older version are read once in the background: that
 * rebuilds their rows, and they count from then on.
 */
export function createUsageReader(sessions: UsageParts) {
  const { catalogue, now, agents } = sessions.host
  const demos = [...agents.values()].filter(({ isDemo }) => isDemo).map(({ name }) => name)
  const renewed = new Set<SessionId>()
  return async ({
    demo = false,
    ...filter
  }: UsageWish): Promise<UsageRead & { readonly waiting: number }> => {
    await sessions.settled()
    const outdated = await catalogue.outdated()
    const fresh = outdated.filter(session => !renewed.has(session))
    fresh.forEach(session => renewed.add(session))
    void refresh(sessions, fresh)
    return {
      ...(await catalogue.usage({ ...filter, without: demo ? [] : demos, now: now() })),
      waiting: outdated.length,
    }
  }
}

/** Rebuilds rows, one session after the other. A session that cannot be read is skipped: opening it reports the error. */
async function refresh({ views, host }: UsageParts, outdated: readonly SessionId[]): Promise<void> {
  for (const session of outdated) {
    if (host.stopping.aborted) return
    await views.of(session).catch(() => {})
  }
}
