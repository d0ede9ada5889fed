import type { SessionId } from '../../protocol/ids.ts'
import { flatMessages } from '../../sessions/flat-messages.ts'
import { showMessage } from '../show-message.ts'
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
    const { limit = pageOfMessages, thread = null, before, exclude, deleted = false, as } = query
    const filter = {
      thread,
      limit,
      ...(before !== undefined && { before }),
      ...(exclude === 'running' && { excludeRunning: true }),
    }
    const session = params.session as SessionId
    const { messages: found, next, asOf } = await sessions.messages(session, filter, { deleted })
    const shown = found.map(({ message }) => showMessage(message))
    return as === undefined
      ? { messages: shown, next, asOf }
      : { messages: [], next, asOf, ...flatMessages(shown, as) }
  },
}
