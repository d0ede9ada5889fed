import type { ListedSession } from 'dragoman/client'

/** How many requests are pending, by session. */
export type Pending = ReadonlyMap<string, number>

/** The pending requests of the running sessions. */
export const pendingIn = (sessions: readonly Pick<ListedSession, 'id' | 'pending'>[]): Pending =>
  new Map(sessions.flatMap(({ id, pending }) => (pending > 0 ? [[id, pending]] : [])))

/** The sessions with more pending requests than before; requests that were there at first don't count. */
export function newlyWaiting<Listed extends Pick<ListedSession, 'id' | 'pending'>>(
  before: Pending | null,
  sessions: readonly Listed[],
): readonly Listed[] {
  if (before === null) return []
  return sessions.filter(({ id, pending }) => pending > (before.get(id) ?? 0))
}

/** The notification text for a session. */
export function notificationOf({ pending }: Pick<ListedSession, 'pending'>, name: string) {
  const what =
    pending === 1
      ? 'The agent is waiting for your answer.'
      : `${pending} requests are waiting for your answer.`
  return { title: name, body: what }
}
