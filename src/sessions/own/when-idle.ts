import type { SessionState } from '../../catalogue/session-state.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { nextPrompt } from '../agent/job.ts'
import type { SessionView } from '../view/session-view.ts'
import { wait } from '../wait.ts'
import type { OwnedSessions } from './owned-sessions.ts'

/** A ring from another node may be lost, and an owner may release the session, so the store is also polled. */
const lookEvery = 1_000

/** Whether nothing runs and no prompt is about to start. */
const isIdle = ({ held }: SessionView, state: SessionState): boolean =>
  state.summary.running === null && nextPrompt(state, held) === undefined

/** Resolves when a session is idle, whichever process owns it, or at an abort. */
export async function whenIdle(
  sessions: OwnedSessions,
  session: SessionId,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const view = await sessions.views.of(session)
    if (isIdle(view, view.record.state)) return
    const owned = await sessions.ownedHere(session)?.catch(() => undefined)
    const soon = AbortSignal.any([signal, AbortSignal.timeout(lookEvery)])
    if (owned === undefined) await nextRing(sessions, session, soon)
    else await owned.writer.when(state => isIdle(owned, state), soon)
  }
}

async function nextRing({ host: { bell } }: OwnedSessions, session: SessionId, signal: AbortSignal) {
  const rung = new AbortController()
  const sleeper = { wake: () => rung.abort() }
  bell?.listen(session, sleeper)
  await wait(lookEvery, AbortSignal.any([rung.signal, signal]))
  bell?.unlisten(session, sleeper)
}
