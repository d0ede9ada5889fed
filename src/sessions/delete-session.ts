import { DragomanError } from '../protocol/error.ts'
import type { Event } from '../protocol/event.ts'
import type { Ending } from './ending.ts'
import { stop } from './interrupt.ts'
import type { Line } from './line.ts'
import type { LiveSession } from './live-session.ts'
import type { Reply } from './reply.ts'

const deleted: Ending = { outcome: 'interrupted', reason: 'Stopped because the session was deleted.' }

/** Puts a session out of sight: what runs is asked to stop, nothing begins any more, and nothing is destroyed. */
export async function deleteSession(live: LiveSession): Promise<Reply<'delete'>> {
  const { seq, running } = await live.wish(async pen => {
    const interaction = live.line.state.summary.running?.interaction ?? null
    const isAsked = interaction === null || live.interrupted === interaction
    const asked: readonly Event[] = isAsked ? [] : [{ type: 'interrupt-requested', interaction }]
    const entries = await pen.append([...asked, { type: 'session-deleted' }])
    live.interrupted = interaction ?? live.interrupted
    return { seq: entries.at(-1)?.seq ?? 0, running: interaction }
  })
  live.spawn(async () => {
    if (running !== null) await stop(live, running)
    live.agent?.end(deleted)
  })
  return { seq }
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
    throw new DragomanError('unknown-session', `Session ${session} was deleted. It can be taken back.`)
}
