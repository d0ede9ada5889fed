import type { SessionId } from '../protocol/ids.ts'
import type { Bell, Sleeper } from './journal.ts'

/** A bell within one process. */
export function createBell(): Bell {
  const sleepers = new Map<SessionId, Set<Sleeper>>()

  return {
    ring(session) {
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
