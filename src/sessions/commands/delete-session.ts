import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import type { Ending } from '../agent/ending.ts'
import { stopAndSave } from './interrupt.ts'
import type { SessionRecord } from '../view/session-view.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { Reply } from './reply.ts'
import { endsWithin } from '../wait.ts'

const deleted: Ending = { outcome: 'interrupted', reason: 'Stopped because the session was deleted.' }

/** Deletes a session: its agent is stopped, and nothing new starts. Its entries stay in the journal. */
export async function deleteSession(owned: OwnedSession): Promise<Reply<'delete'>> {
  const wasRunning = owned.writer.state.summary.running !== null
  try {
    const { seq } = await stopAndSave(owned, [{ type: 'session-deleted' }])
    owned.spawn(() => endAgent(owned))
    return { seq }
  } catch (error) {
    if (!wasRunning || !isDragomanError(error)) throw error
    const message = `The agent was stopped, but the session was not deleted. ${error.message}`
    throw new DragomanError(error.code, message, { ...error.details, cause: error })
  }
}

/** Ends the agent when its interaction has stopped. */
async function endAgent({ writer, host, agent }: OwnedSession): Promise<void> {
  const isOver = writer.when(({ summary }) => summary.running === null)
  await endsWithin(host.limits.interruptMs, isOver)
  agent?.end(deleted)
}

/** Undeletes a session. Its queued prompts wait for a person. */
export async function undeleteSession(owned: OwnedSession): Promise<Reply<'undelete'>> {
  return owned.writer.write(async appender => {
    const { summary, queue } = owned.writer.state
    if (!summary.deleted) return { seq: null }
    const [entry] = await appender.append([{ type: 'session-undeleted' }])
    for (const { prompt } of queue) owned.held.add(prompt)
    return { seq: entry?.seq ?? 0 }
  })
}

/** Throws when a session is deleted: it counts as unknown. */
export function refuseDeleted({ session, state }: SessionRecord): void {
  if (state.summary.deleted)
    throw new DragomanError('unknown-session', `Session ${session} is deleted. You can undelete it.`)
}
