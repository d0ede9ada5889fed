import type { SessionId } from '../../protocol/ids.ts'
import type { OwnedSessions } from './owned-sessions.ts'

const atOnce = 32

/**
 * Takes over the sessions that may have been at work when the last server died. A crash in the middle leaves the rest to the
 * next start, and a session that cannot be taken over stops no other.
 */
export async function recover(owned: OwnedSessions, sessions: Iterable<SessionId>): Promise<void> {
  const rest = new Set(sessions).values()
  const work = async () => {
    for (const session of rest) await owned.takeOver(session)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
