import type { SessionFilter, SessionList, SessionListState } from '../client/stores/session-list.ts'
import { useClient } from './provider.ts'
import { useReadable } from './use-readable.ts'

/** The sessions of the server, the newest first, live. The same filter is the same list. */
export function useSessions(filter?: SessionFilter): SessionListState & Pick<SessionList, 'loadMore'> {
  const list = useClient().sessions(filter)
  return { ...useReadable(list), loadMore: list.loadMore }
}
