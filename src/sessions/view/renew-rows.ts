import type { SessionId } from '../../protocol/ids.ts'
import type { Host } from '../host.ts'
import type { SessionViews } from './session-view.ts'

/** What is needed to renew rows. */
interface RenewalParts {
  readonly host: Host
  readonly views: SessionViews
}

/**
 * Gives a function that makes the rows of sessions again in the background if an older version wrote them. Each session is read
 * once; those who watch sessions hear of it. The function resolves to how many such sessions there still are.
 */
export function createRowRenewal(parts: RenewalParts): () => Promise<number> {
  const renewed = new Set<SessionId>()
  return async () => {
    const outdated = await parts.host.catalogue.outdated()
    const fresh = outdated.filter(session => !renewed.has(session))
    fresh.forEach(session => renewed.add(session))
    void renew(parts, fresh)
    return outdated.length
  }
}

/** One session after the other. A session that cannot be read is skipped: opening it reports the error. */
async function renew({ views, host }: RenewalParts, outdated: readonly SessionId[]): Promise<void> {
  for (const session of outdated) {
    if (host.stopping.aborted) return
    const view = await views.of(session).catch(() => null)
    if (view !== null) host.watchers.notify(null, view.record.state.summary)
  }
}
