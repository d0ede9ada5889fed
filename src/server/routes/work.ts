import type { SessionId } from '../../protocol/ids.ts'
import { given } from '../given.ts'
import type { Handlers } from './handler.ts'

const page = 100

/** What was done: interaction by interaction, and tool call by tool call. */
export const work: Handlers<'listInteractions' | 'listWorkLog'> = {
  async listInteractions({ sessions }, { params, query }) {
    const { limit = page, deleted = false, ...filter } = query
    return sessions.interactions(params.session as SessionId, { limit, ...given(filter) }, { deleted })
  },
  async listWorkLog({ sessions }, { params, query }) {
    const { limit = page, deleted = false, ...filter } = query
    return sessions.workLog(params.session as SessionId, { limit, ...given(filter) }, { deleted })
  },
}
