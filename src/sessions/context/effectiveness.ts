import type { Agent } from '../../agents/agent.ts'
import type { Effectiveness } from '../../protocol/manipulation.ts'

/** How far a context change reaches an agent's model; only as advice when the agent is not installed here. */
export function effectivenessFor(agent: Agent | undefined): Effectiveness {
  return agent?.context ?? (agent?.memory === 'journal' ? 'applied' : 'advisory')
}

/** The same as a text for people. */
export const effectSentence: Readonly<Record<Effectiveness, string>> = {
  applied: 'Dragoman builds the requests to the model, so changes apply from the next request.',
  'next-boundary':
    'This agent keeps its own history, so changes to tool results apply when the session is next resumed.',
  advisory:
    'This agent keeps its own history and does not accept changes, so its model still sees everything.',
}
