import type { Event } from '../../protocol/event.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { Reply } from './reply.ts'

/** Puts a session away: it takes no more prompts, and queued ones wait until it is restored. What runs goes on to its end. */
export const archive = (owned: OwnedSession): Promise<Reply<'archive'>> =>
  setArchived(owned, true, { type: 'session-archived' })

/** Takes a session out again. Its queued prompts wait for a person. */
export const restore = (owned: OwnedSession): Promise<Reply<'restore'>> =>
  setArchived(owned, false, { type: 'session-restored' })

async function setArchived(owned: OwnedSession, archived: boolean, event: Event) {
  return owned.write(async appender => {
    const { summary, queue } = owned.record.state
    if (summary.archived === archived) return { seq: null }
    const [entry] = await appender.append([event])
    for (const { prompt } of queue) owned.held.add(prompt)
    return { seq: entry?.seq ?? 0 }
  })
}
