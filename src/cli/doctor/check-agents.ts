import type { Agent } from '../../agents/agent.ts'
import type { OptionsSchema } from '../../protocol/agent-options.ts'
import type { Replied } from '../../protocol/api/api.ts'
import type { Check } from './check.ts'

/** An agent, and whether it can run. */
export type FoundAgent = Pick<
  Replied<'listAgents'>['agents'][number],
  'name' | 'title' | 'status' | 'version' | 'tested' | 'age' | 'lacks' | 'advice'
> & { readonly options: OptionsSchema | null }

/** Looks for agents on this machine. */
export const findAgents = (agents: readonly Agent[]): Promise<readonly FoundAgent[]> =>
  Promise.all(
    agents.map(async agent => {
      const { tested = null, age = null, ...rest } = await agent.find()
      const { options = null } = (await agent.load?.()) ?? agent
      return { name: agent.name, title: agent.title, ...rest, tested, age, options }
    }),
  )

/** The checks of the agents. A missing one is not a failure: others may be installed. */
export function checkAgents(agents: readonly FoundAgent[]): readonly Check[] {
  const checks = agents.map(checkOf)
  if (agents.some(({ status }) => status === 'ready')) return checks
  return [...checks, { name: 'agents', status: 'fail', detail: 'none is ready' }]
}

const states = {
  ready: 'ready',
  missing: 'not found',
  broken: 'found, but cannot be run',
} as const

function checkOf({ name, title, status, version, tested, age, lacks, advice }: FoundAgent): Check {
  const state = status === 'needs-login' ? `needs a ${lacks ?? 'login'}` : states[status]
  const isDoubtful = age === 'older' || age === 'newer'
  return {
    name: `agent ${name}`,
    status: status === 'ready' && !isDoubtful ? 'ok' : 'warn',
    detail: [
      title,
      ...(version === null ? [] : [`version ${version}`]),
      ...(version === null && tested !== null ? ['version unknown'] : []),
      ...(tested === null ? [] : [`tested with ${tested}`]),
      state,
    ].join(', '),
    ...(advice !== null && { advice }),
  }
}
