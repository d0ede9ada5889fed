import type { Agent } from '../agents/agent.ts'
import { DragomanError } from '../protocol/error.ts'
import { redact } from '../protocol/redact.ts'

/** Finds an agent by its name; throws an error that lists the available agents. */
export function agentNamed(agents: ReadonlyMap<string, Agent>, name: string): Agent {
  const agent = agents.get(name)
  if (agent !== undefined) return agent
  const names = [...agents.keys()].join(', ')
  throw new DragomanError('unknown-agent', `There is no agent "${redact(name)}". Available agents: ${names}.`)
}
