import type { ReadAgain } from '../../sessions/view/retranslate.ts'
import type { Configuration } from '../configuration/keys.ts'
import { loadedAgentsOf } from '../configured-agents.ts'
import type { Desk } from './desk.ts'

/** What is needed to read a session again with the translators of this process, wherever its words are kept. */
export const readAgain = async (desk: Desk, configuration: Configuration): Promise<ReadAgain> => ({
  agents: new Map((await loadedAgentsOf(configuration)).map(agent => [agent.name, agent])),
  journal: {
    head: session => desk.head(session),
    read: (session, after, limit) => desk.read(session, after, limit),
  },
})
