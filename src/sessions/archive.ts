import type { Event } from '../protocol/event.ts'
import type { LiveSession } from './live-session.ts'
import type { Reply } from './reply.ts'

/** Puts a session away: it takes no more prompts, and queued ones wait until it is restored. What runs goes on to its end. */
export const archive = (live: LiveSession): Promise<Reply<'archive'>> =>
  setArchived(live, true, { type: 'session-archived' })

/** Takes a session out again. Its queued prompts wait for a person. */
export const restore = (live: LiveSession): Promise<Reply<'restore'>> =>
  setArchived(live, false, { type: 'session-restored' })

async function setArchived(live: LiveSession, archived: boolean, event: Event) {
  return live.wish(async pen => {
    const { summary, queue } = live.line.state
    if (summary.archived === archived) return { seq: null }
    const [entry] = await pen.append([event])
    for (const { prompt } of queue) live.held.add(prompt)
    return { seq: entry?.seq ?? 0 }
  })
}
