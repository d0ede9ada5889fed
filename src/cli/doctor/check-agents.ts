import type { Agent, Readiness } from '../../agents/agent.ts'
import type { Check } from './check.ts'

/** Looks for the agents on this machine. One that is missing is no failure: others may be there. */
export async function checkAgents(agents: readonly Agent[]): Promise<readonly Check[]> {
  const found = await Promise.all(agents.map(async agent => checkOf(agent, await agent.find())))
  if (found.some(({ status }) => status === 'ok')) return found
  return [...found, { name: 'agents', status: 'fail', detail: 'none is ready' }]
}

function checkOf({ name, title }: Agent, { status, version, advice }: Readiness): Check {
  const state = { ready: 'ready', 'needs-login': 'needs a login', missing: 'not found' }[status]
  return {
    name: `agent ${name}`,
    status: status === 'ready' ? 'ok' : 'warn',
    detail: [title, ...(version === null ? [] : [`version ${version}`]), state].join(', '),
    ...(advice !== null && { advice }),
  }
}
