import type { SessionId } from '../../protocol/ids.ts'
import { isDragomanError } from '../../protocol/error.ts'
import type { House } from '../house.ts'
import { problemOf } from '../problem.ts'

/** What followers receive when a session can no longer be followed. */
export interface Gone {
  readonly reason: string
  readonly code: string
}

/**
 * Looks whether a session that an entry said was deleted still is; it may have been undone since. Sessions know of an
 * entry a moment after those who follow the journal.
 */
export function lookIfGone({ sessions }: House, session: SessionId, gone: (error: unknown) => void): void {
  setImmediate(() => {
    sessions.get(session).catch(gone)
  })
}

/** Says why a session cannot be followed any more; a mistake of ours goes to the log. */
export function tellGone(house: House, session: SessionId, error: unknown): Gone {
  if (!isDragomanError(error)) house.log('error', 'Following a session failed.', { session, error })
  const { detail, code } = problemOf(error)
  return { reason: detail, code }
}
