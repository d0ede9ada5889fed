import type { Agent, Readiness } from '../agents/agent.ts'
import { DragomanError } from '../protocol/error.ts'

/** Where an agent would work, to check whether it can start there without options. */
interface Place {
  readonly cwd: string
  readonly dataFolder: string
}

/**
 * The agent of a new session unless one is chosen: the first that is ready and needs no options. A demo agent only counts when
 * there is no other.
 */
export async function findDefaultAgent(
  agents: Iterable<Agent>,
  find: (agent: Agent) => Promise<Pick<Readiness, 'status'>>,
  place: Place,
): Promise<string> {
  const all = [...agents]
  const real = all.filter(({ isDemo }) => isDemo !== true)
  for (const agent of real) if (await canStart(agent, find, place)) return agent.name
  const [first] = [...all.filter(({ isDemo }) => isDemo === true), ...real]
  if (first === undefined) throw new DragomanError('invalid-input', 'There are no agents.')
  return first.name
}

async function canStart(
  agent: Agent,
  find: (agent: Agent) => Promise<Pick<Readiness, 'status'>>,
  place: Place,
): Promise<boolean> {
  try {
    // This is quick, while looking for a program takes time.
    await agent.check?.({ options: null, ...place })
  } catch {
    // It needs options, such as the address of a model.
    return false
  }
  return (await find(agent)).status === 'ready'
}
