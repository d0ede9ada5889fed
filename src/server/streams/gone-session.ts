import type { SessionId } from '../../protocol/ids.ts'
import { isDragomanError } from '../../protocol/error.ts'
import type { ServerParts } from '../server-parts.ts'
import { problemOf } from '../problem.ts'

/** What followers receive when a session can no longer be followed. */
export interface Gone {
  readonly reason: string
  readonly code: string
}

/**
 * Checks whether a session is still deleted after an entry said so, because the deletion may have been undone. The catalogue
 * learns about an entry slightly later than followers of the journal.
 */
export function checkIfGone(
  { sessions }: ServerParts,
  session: SessionId,
  gone: (error: unknown) => void,
): void {
  setImmediate(() => {
    sessions.get(session).catch(gone)
  })
}

/** Why a session cannot be followed any more. An unexpected error is logged. */
export function goneReason(server: ServerParts, session: SessionId, error: unknown): Gone {
  if (!isDragomanError(error)) server.log('error', 'Following a session failed.', { session, error })
  const { detail, code } = problemOf(error)
  return { reason: detail, code }
}
