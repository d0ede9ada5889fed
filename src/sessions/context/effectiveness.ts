import type { Agent } from '../../agents/agent.ts'
import type { Effectiveness } from '../../protocol/manipulation.ts'

/** How far a change of what counts reaches an agent's model; one that is not here can be told nothing. */
export function effectivenessFor(agent: Agent | undefined): Effectiveness {
  return agent?.context ?? (agent?.memory === 'journal' ? 'applied' : 'advisory')
}

/** The same in words for people. */
export const effectSentence: Readonly<Record<Effectiveness, string>> = {
  applied: 'What the model is sent follows this history: a change counts from the next request on.',
  'next-boundary':
    'The agent keeps a history of its own: what a change does to results of tools reaches its model when the agent is next resumed.',
  advisory:
    'The agent keeps a history of its own and cannot be told of changes: what its model sees stays as it is.',
}
