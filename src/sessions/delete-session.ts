import { DragomanError, isDragomanError } from '../protocol/error.ts'
import type { Ending } from './ending.ts'
import { stopAndSave } from './interrupt.ts'
import type { Line } from './line.ts'
import type { LiveSession } from './live-session.ts'
import type { Reply } from './reply.ts'
import { endsWithin } from './wait.ts'

const deleted: Ending = { outcome: 'interrupted', reason: 'Stopped because the session was deleted.' }

/** Deletes a session: its agent is stopped, nothing begins any more, and its entries stay in the journal. */
export async function deleteSession(live: LiveSession): Promise<Reply<'delete'>> {
  const wasRunning = live.line.state.summary.running !== null
  try {
    const { seq } = await stopAndSave(live, [{ type: 'session-deleted' }])
    live.spawn(() => endAgent(live))
    return { seq }
  } catch (error) {
    if (!wasRunning || !isDragomanError(error)) throw error
    const message = `The agent was stopped, but the session was not deleted. ${error.message}`
    throw new DragomanError(error.code, message, { ...error.details, cause: error })
  }
}

/** Ends the agent when the interaction that it was asked to stop is over. */
async function endAgent({ line, host, agent }: LiveSession): Promise<void> {
  const isOver = line.when(({ summary }) => summary.running === null)
  await endsWithin(host.limits.interruptMs, isOver)
  agent?.end(deleted)
}

/** Takes a deleted session back. Its queued prompts wait for a person. */
export async function undeleteSession(live: LiveSession): Promise<Reply<'undelete'>> {
  return live.keeper.wish(async pen => {
    const { summary, queue } = live.line.state
    if (!summary.deleted) return { seq: null }
    const [entry] = await pen.append([{ type: 'session-undeleted' }])
    for (const { prompt } of queue) live.held.add(prompt)
    return { seq: entry?.seq ?? 0 }
  })
}

/** A deleted session is as good as unknown. */
export function refuseDeleted({ session, state }: Line): void {
  if (state.summary.deleted)
    throw new DragomanError('unknown-session', `Session ${session} is deleted. You can undelete it.`)
}
