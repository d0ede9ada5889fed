import type { Agent, Readiness } from '../../agents/agent.ts'
import type { Check } from './check.ts'

/** An agent, and whether it can run. */
export type FoundAgent = Pick<Agent, 'name' | 'title'> & Readiness

/** Looks for agents on this machine. */
export const findAgents = (agents: readonly Agent[]): Promise<readonly FoundAgent[]> =>
  Promise.all(agents.map(async agent => ({ name: agent.name, title: agent.title, ...(await agent.find()) })))

/** What the agents that were found mean. One that is missing is no failure: others may be there. */
export function checkAgents(agents: readonly FoundAgent[]): readonly Check[] {
  const checks = agents.map(checkOf)
  if (checks.some(({ status }) => status === 'ok')) return checks
  return [...checks, { name: 'agents', status: 'fail', detail: 'none is ready' }]
}

function checkOf({ name, title, status, version, advice }: FoundAgent): Check {
  const state = { ready: 'ready', 'needs-login': 'needs a login', missing: 'not found' }[status]
  return {
    name: `agent ${name}`,
    status: status === 'ready' ? 'ok' : 'warn',
    detail: [title, ...(version === null ? [] : [`version ${version}`]), state].join(', '),
    ...(advice !== null && { advice }),
  }
}
