import { DragomanError } from '../protocol/error.ts'
import { nextPrompt } from './job.ts'
import type { LiveSession } from './live-session.ts'

/** Refuses what cannot be done while an interaction runs or is about to. */
export function refuseBusy({ line: { session, state }, held }: LiveSession, what: string): void {
  if (state.summary.running === null && nextPrompt(state, held) === undefined) return
  throw new DragomanError(
    'session-busy',
    `Session ${session} is busy and cannot ${what} now. Wait until it is idle, or stop it.`,
  )
}
