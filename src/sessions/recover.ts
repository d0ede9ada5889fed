import type { SessionId } from '../protocol/ids.ts'
import type { LiveSessions } from './live-sessions.ts'

const atOnce = 32

/**
 * Opens the sessions that may have been at work when the last server died; opening closes what it left running.
 * A crash in the middle leaves the rest to the next start, and a session that cannot be opened stops no other.
 */
export async function recover(lives: LiveSessions, sessions: Iterable<SessionId>): Promise<void> {
  const rest = new Set(sessions).values()
  const work = async () => {
    for (const session of rest) await lives.attempt(session, async () => {})
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
