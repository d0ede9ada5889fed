import { DragomanError } from '../../protocol/error.ts'
import { writingMs } from '../import/terminals.ts'
import type { OwnedSession } from '../own/owned-session.ts'
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

/** Throws while an agent writes the session in its own terminal: two programs would write to one transcript. */
export function refuseInTerminal({ host, writer: { session, state } }: OwnedSession): void {
  if (!host.terminals.isWriting(session)) return
  const { agent } = state.summary
  const title = host.agents.get(agent)?.title ?? agent
  throw new DragomanError(
    'session-busy',
    `${title} is working on this session in its own terminal. End it there, or wait until it has been quiet for ` +
      `${writingMs / 1000} seconds. Then send this again.`,
  )
}
