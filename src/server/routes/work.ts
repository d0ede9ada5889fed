import type { InteractionId, SessionId } from '../../protocol/ids.ts'
import { definedIn } from '../../protocol/json.ts'
import type { Handlers } from './handler.ts'

const page = 100

/** Calls about the work of agents: interactions, tool calls and thinking. */
export const work: Handlers<'listInteractions' | 'listWorkLog' | 'listThinking'> = {
  async listInteractions({ sessions }, { params, query }) {
    const { limit = page, deleted = false, ...filter } = query
    return sessions.interactions(params.session as SessionId, { limit, ...definedIn(filter) }, { deleted })
  },
  async listWorkLog({ sessions }, { params, query }) {
    const { limit = page, deleted = false, ...filter } = query
    return sessions.workLog(params.session as SessionId, { limit, ...definedIn(filter) }, { deleted })
  },
  async listThinking({ sessions }, { params, query }) {
    return sessions.thinking(
      params.session as SessionId,
      params.interaction as InteractionId,
      definedIn(query),
    )
  },
}
