import type { OwnedSession } from '../own/owned-session.ts'
import type { Reply } from './reply.ts'

/** Keeps a session at the top of the list. */
export const pin = (owned: OwnedSession): Promise<Reply<'pin'>> => setPinned(owned, true)

/** Puts a session back to its place in the list. */
export const unpin = (owned: OwnedSession): Promise<Reply<'unpin'>> => setPinned(owned, false)

async function setPinned(owned: OwnedSession, pinned: boolean) {
  return owned.write(async appender => {
    if (owned.writer.state.summary.pinned === pinned) return { seq: null }
    const [entry] = await appender.append([{ type: pinned ? 'session-pinned' : 'session-unpinned' }])
    return { seq: entry?.seq ?? 0 }
  })
}
