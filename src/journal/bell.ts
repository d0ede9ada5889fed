import type { SessionId } from '../protocol/ids.ts'
import type { Bell, Sleeper } from './journal.ts'

/** A bell within one process. */
export interface ProcessBell extends Bell {
  /** Calls with the session at every ring, of any session. */
  hearAll(hear: (session: SessionId) => void): void
}

/** Creates a bell within one process. */
export function createBell(): ProcessBell {
  const sleepers = new Map<SessionId, Set<Sleeper>>()
  const hearers: ((session: SessionId) => void)[] = []

  return {
    hearAll: hear => void hearers.push(hear),
    ring(session) {
      for (const hear of hearers) hear(session)
      const all = sleepers.get(session)
      if (all !== undefined) for (const sleeper of all) sleeper.wake()
    },
    listen(session, sleeper) {
      const all = sleepers.get(session) ?? new Set()
      sleepers.set(session, all.add(sleeper))
    },
    unlisten(session, sleeper) {
      const all = sleepers.get(session)
      all?.delete(sleeper)
      if (all?.size === 0) sleepers.delete(session)
    },
  }
}
