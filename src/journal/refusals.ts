import { DragomanError } from '../protocol/error.ts'

/** The error for a session that was never created. */
export const unknownSession = (session: string) =>
  new DragomanError('unknown-session', `There is no session ${session}. List them with "dragoman sessions".`)

/** The error for a session that is there already. */
export const sessionExists = (session: string) =>
  new DragomanError(
    'session-exists',
    `Session ${session} already exists. Choose another ID, or leave it out.`,
  )
