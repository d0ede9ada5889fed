import type { Event } from '../../protocol/event.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { Reply } from './reply.ts'

/** Archives a session: it accepts no more prompts, and queued ones wait until it is restored. A running interaction continues. */
export const archive = (owned: OwnedSession): Promise<Reply<'archive'>> =>
  setArchived(owned, true, { type: 'session-archived' })

/** Restores an archived session. Its queued prompts wait for a person. */
export const restore = (owned: OwnedSession): Promise<Reply<'restore'>> =>
  setArchived(owned, false, { type: 'session-restored' })

async function setArchived(owned: OwnedSession, archived: boolean, event: Event) {
  return owned.write(async appender => {
    const { summary, queue } = owned.writer.state
    if (summary.archived === archived) return { seq: null }
    const [entry] = await appender.append([event])
    for (const { prompt } of queue) owned.held.add(prompt)
    return { seq: entry?.seq ?? 0 }
  })
}
