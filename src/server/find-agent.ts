import type { Agent, Readiness } from '../agents/agent.ts'

/** Tells whether an agent can run here. */
export type FindAgent = (agent: Agent) => Promise<Readiness>

/** To find out starts the agent's program, so whoever asks soon after another gets the same answer. */
export function createFindAgent(now: () => number, soonMs = 5000): FindAgent {
  const found = new Map<string, { readonly at: number; readonly readiness: Promise<Readiness> }>()
  return agent => {
    const known = found.get(agent.name)
    if (known !== undefined && now() - known.at < soonMs) return known.readiness
    const readiness = agent.find()
    found.set(agent.name, { at: now(), readiness })
    return readiness
  }
}
