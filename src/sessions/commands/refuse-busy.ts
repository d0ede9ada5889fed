import { DragomanError } from '../../protocol/error.ts'
import { nextPrompt } from '../agent/job.ts'
import type { SessionView } from '../view/session-view.ts'

/** Throws while an interaction runs or is about to start. */
export function refuseBusy({ record: { session, state }, held }: SessionView, what: string): void {
  if (state.summary.running === null && nextPrompt(state, held) === undefined) return
  throw new DragomanError(
    'session-busy',
    `Session ${session} is busy and cannot ${what} now. Wait until it is idle, or stop it.`,
  )
}
