import type { InteractionId, SessionId } from '../../protocol/ids.ts'
import { given } from '../given.ts'
import type { Handlers } from './handler.ts'

const page = 100

/** What was done: interaction by interaction, tool call by tool call, thought by thought. */
export const work: Handlers<'listInteractions' | 'listWorkLog' | 'listThinking'> = {
  async listInteractions({ sessions }, { params, query }) {
    const { limit = page, deleted = false, ...filter } = query
    return sessions.interactions(params.session as SessionId, { limit, ...given(filter) }, { deleted })
  },
  async listWorkLog({ sessions }, { params, query }) {
    const { limit = page, deleted = false, ...filter } = query
    return sessions.workLog(params.session as SessionId, { limit, ...given(filter) }, { deleted })
  },
  async listThinking({ sessions }, { params, query }) {
    return sessions.thinking(params.session as SessionId, params.interaction as InteractionId, given(query))
  },
}
