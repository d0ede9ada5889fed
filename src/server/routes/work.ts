import type { InteractionId, SessionId } from '../../protocol/ids.ts'
import { definedIn } from '../../protocol/json.ts'
import { mostPrompts, promptText } from '../prompt-text.ts'
import type { Handlers } from './handler.ts'

const page = 100

/** Calls about the work of agents: interactions, tool calls and thinking. */
export const work: Handlers<'listInteractions' | 'listWorkLog' | 'listThinking'> = {
  async listInteractions({ sessions, journal }, { params, query }) {
    const { limit = page, deleted = false, texts, ...filter } = query
    const session = params.session as SessionId
    if (texts === undefined)
      return sessions.interactions(session, { limit, ...definedIn(filter) }, { deleted })
    const few = { limit: Math.min(limit, mostPrompts), ...definedIn(filter) }
    const { interactions, ...rest } = await sessions.interactions(session, few, { deleted })
    const told = interactions.map(async each => {
      const text = await promptText(journal, session, each.start.seq)
      return text === null ? each : { ...each, text }
    })
    return { ...rest, interactions: await Promise.all(told) }
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
