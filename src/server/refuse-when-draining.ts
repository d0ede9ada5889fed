import type { Command } from '../protocol/command.ts'
import { DragomanError } from '../protocol/error.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { ServerParts } from './server-parts.ts'

/** Refuses to start anything while the server stops. */
export function refuseWhenDraining({ draining }: Pick<ServerParts, 'draining'>): void {
  if (!draining.aborted) return
  throw endingError()
}

/** The error while the server stops. */
export const endingError = (): DragomanError =>
  new DragomanError('draining', 'The server is shutting down. Send this again when it is back.')

/** Which commands start work, which a stopping server refuses. The compiler finds a missing one. */
const startsWork: { readonly [Type in Command['type']]: boolean } = {
  create: true,
  prompt: true,
  continue: true,
  branch: true,
  merge: true,
  withdraw: false,
  interrupt: false,
  answer: false,
  revoke: false,
  assign: false,
  configure: false,
  rename: false,
  archive: false,
  restore: false,
  pin: false,
  unpin: false,
  delete: false,
  undelete: false,
  'set-validity': false,
  manipulate: false,
  'roll-back': false,
}

/** The same sessions, which refuse to start work while the server drains, however the command arrived. */
export function refusingWork(sessions: Sessions, draining: AbortSignal): Sessions {
  return {
    ...sessions,
    async execute(command) {
      if (startsWork[command.type]) refuseWhenDraining({ draining })
      return sessions.execute(command)
    },
  }
}
