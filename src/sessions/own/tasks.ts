import type { SessionId } from '../../protocol/ids.ts'
import type { Trouble } from '../view/session-view.ts'
import { troubleOf } from './session-writer.ts'

/** Work that goes on beside the commands, so that none of it is lost sight of. */
export interface Tasks {
  /** Follows a task of a session. It never rejects: a failure becomes a fault of the session, until a task ends well. */
  follow(session: SessionId, task: Promise<void>): Promise<void>
  faults(): readonly Trouble[]
  /** Resolves when no task is left. */
  done(): Promise<void>
}

/** Begins with no task. */
export function createTasks(now: () => number): Tasks {
  const faults = new Map<SessionId, Trouble>()
  const tasks = new Set<Promise<void>>()

  return {
    follow(session, task) {
      const followed = task
        .then(
          () => void faults.delete(session),
          (error: unknown) => void faults.set(session, troubleOf(session, error, now())),
        )
        .finally(() => tasks.delete(followed))
      tasks.add(followed)
      return followed
    },
    faults: () => [...faults.values()],
    async done() {
      while (tasks.size > 0) await Promise.all(tasks)
    },
  }
}
