import { agents } from '../../agents/index.ts'
import type { ReadAgain } from '../../sessions/retranslate.ts'
import type { Desk } from './desk.ts'

const known = new Map(agents.map(agent => [agent.name, agent]))

/** What is needed to read a session again with the translators of this process, wherever its words are kept. */
export const readAgain = (desk: Desk): ReadAgain => ({
  agents: known,
  journal: {
    head: session => desk.head(session),
    read: (session, after, limit) => desk.read(session, after, limit),
  },
})
