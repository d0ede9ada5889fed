import { isDragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { House } from '../house.ts'
import type { ChatPlan } from './chat-plan.ts'

/** What to stream to a client that reconnects: the running or next interaction; null if there is none, or the chat is unknown. */
export async function planResume(
  house: House,
  session: SessionId,
  dialect: ChatPlan['dialect'] = 'portable',
): Promise<ChatPlan | null> {
  const details = await house.sessions.get(session).catch((error: unknown) => {
    if (isDragomanError(error, 'unknown-session')) return null
    throw error
  })
  if (details === null) return null
  const { running, queue } = details
  const plan = { session, dialect, continueAfter: null }
  if (running !== null) return { ...plan, subject: { interaction: running.interaction }, after: running.seq }
  const next = queue.find(({ held }) => !held)
  if (next === undefined) return null
  return { ...plan, subject: { interaction: null, prompt: next.prompt }, after: next.queued.seq }
}
