import type { SessionId } from '../../protocol/ids.ts'

/** Which sessions an agent writes at the moment outside of Dragoman, in its own terminal. */
export interface Terminals {
  /** The agent wrote in its transcript at this time. */
  wrote(session: SessionId, at: number): void
  isWriting(session: SessionId): boolean
}

/** A session counts as written for this long after the agent wrote last: longer than most pauses of a model. */
export const writingMs = 30_000

/** `ended` is called with each session that is no longer written. */
export function createTerminals(now: () => number, ended: (session: SessionId) => void): Terminals {
  const writing = new Map<SessionId, NodeJS.Timeout>()
  return {
    wrote(session, at) {
      const left = at + writingMs - now()
      if (left <= 0) return
      clearTimeout(writing.get(session))
      const end = () => {
        writing.delete(session)
        ended(session)
      }
      writing.set(session, setTimeout(end, Math.min(left, writingMs)).unref())
    },
    isWriting: session => writing.has(session),
  }
}
