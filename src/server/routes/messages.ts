import type { SessionId } from '../../protocol/ids.ts'
import { flatMessages } from '../../sessions/view/flat-messages.ts'
import { showMessage } from '../show-message.ts'
import type { Handlers } from './handler.ts'
import { showDetails } from './show-session.ts'

const pageOfMessages = 100

/** The messages of a session. */
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
    const shown = found.map(({ message, firstSeq }) => ({ message: showMessage(message), firstSeq }))
    if (as === undefined) return { messages: shown.map(({ message }) => message), next, asOf }
    const legacy = thread === null ? await sessions.legacy(session, { deleted }) : null
    const page = { messages: shown, isFromStart: next === null, legacy }
    return { messages: [], next, asOf, ...flatMessages(page, as) }
  },
}
