import type { ReadAgain } from '../../sessions/view/retranslate.ts'
import type { Configuration } from '../configuration/keys.ts'
import { loadedAgentsOf } from '../configured-agents.ts'
import type { SessionsApi } from './sessions-api.ts'

/** What a retranslation needs: the agents of this process, and the session's entries. */
export const readAgain = async (api: SessionsApi, configuration: Configuration): Promise<ReadAgain> => ({
  agents: new Map((await loadedAgentsOf(configuration)).map(agent => [agent.name, agent])),
  journal: {
    head: session => api.head(session),
    read: (session, after, limit) => api.read(session, after, limit),
  },
})
