import type { SessionId } from '../protocol/ids.ts'
import type { Bell } from './journal.ts'

/** A bell within one process. */
export function createBell(): Bell {
  const listeners = new Map<SessionId, Set<() => void>>()

  return {
    ring(session) {
      const wakes = listeners.get(session)
      if (wakes !== undefined) for (const wake of wakes) wake()
    },
    listen(session, wake) {
      const wakes = listeners.get(session) ?? new Set()
      listeners.set(session, wakes.add(wake))
      return () => {
        wakes.delete(wake)
        if (wakes.size === 0 && listeners.get(session) === wakes) listeners.delete(session)
      }
    },
  }
}
