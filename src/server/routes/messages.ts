import type { SessionId } from '../../protocol/ids.ts'
import type { Handlers } from './handler.ts'
import { showDetails } from './show-session.ts'

const pageOfMessages = 100

/** What was said, as messages. */
export const messages: Handlers<'getSnapshot' | 'listMessages'> = {
  async getSnapshot({ sessions }, { params, query }) {
    const { limit = pageOfMessages, deleted = false } = query
    const snapshot = await sessions.snapshot(params.session as SessionId, { limit, deleted })
    return { ...snapshot, session: showDetails(snapshot.session) }
  },
  async listMessages({ sessions }, { params, query }) {
    const { limit = pageOfMessages, thread = null, before, exclude, deleted = false } = query
    const filter = {
      thread,
      limit,
      ...(before !== undefined && { before }),
      ...(exclude === 'running' && { excludeRunning: true }),
    }
    const found = await sessions.messages(params.session as SessionId, filter, { deleted })
    return { messages: found.messages.map(({ message }) => message), next: found.next, asOf: found.asOf }
  },
}
