import type { Agent } from './agent.ts'

/** The facts about an agent that are known without loading its code. */
export type About = Pick<
  Agent,
  | 'name'
  | 'title'
  | 'lines'
  | 'capabilities'
  | 'isDemo'
  | 'questionTools'
  | 'elsewhere'
  | 'memory'
  | 'context'
  | 'window'
>

/** An agent that is known by its facts. Its code is loaded when it is first found, checked, connected or loaded. */
export function loadWhenUsed(about: About, read: () => Promise<Agent>): Agent {
  let loading: Promise<Agent> | undefined
  const load = () => (loading ??= read())
  return {
    ...about,
    load,
    find: async options => (await load()).find(options),
    check: async options => await (await load()).check?.(options),
    connect: async options => (await load()).connect(options),
    initial: () => notLoaded(about.name),
    translate: () => notLoaded(about.name),
  }
}

/** The complete agent; its code is loaded if it was not. */
export const loaded = async (agent: Agent): Promise<Agent> => (await agent.load?.()) ?? agent

function notLoaded(name: string): never {
  throw new Error(`The agent "${name}" must be loaded before it can translate.`)
}
