import type { Agent, Readiness } from '../agents/agent.ts'
import type { Json } from '../protocol/json.ts'

/** Checks whether an agent can run here, for a session with these options or for any. */
export type FindAgent = (agent: Agent, options?: Json) => Promise<Readiness>

/** Checking starts the agent's program, so requests within a short time share one result. */
export function createFindAgent(now: () => number, soonMs = 5000): FindAgent {
  const found = new Map<string, { readonly at: number; readonly readiness: Promise<Readiness> }>()
  return (agent, options) => {
    for (const [key, { at }] of found) if (now() - at >= soonMs) found.delete(key)
    const asked = JSON.stringify([agent.name, options])
    const known = found.get(asked)
    if (known !== undefined) return known.readiness
    const readiness = agent.find(options)
    found.set(asked, { at: now(), readiness })
    return readiness
  }
}
