import type { Client } from 'dragoman/client'
import { useFetched } from '../ui/use-fetched.ts'

/** An agent, and whether it can run here. */
export type ListedAgent = Awaited<ReturnType<Client['listAgents']>>[number]

/** The agents of the server, as far as loaded. */
export interface Agents {
  /** Null until they were loaded. */
  readonly agents: readonly ListedAgent[] | null
  readonly problem: string | null
  /** Loads them again. */
  readonly again: () => void
}

/** The agents of the server; each component that appears loads them again. */
export const useAgents = (): Agents => useListed(true)

/** The loaded agents without another request, for components that appear in large numbers. */
export const useKnownAgents = (): Agents => useListed(false)

function useListed(enabled: boolean): Agents {
  const { data, problem, again } = useFetched(['agents'], client => client.listAgents(), { enabled })
  return { agents: data, problem, again }
}

/** The agent of the demo: it is part of Dragoman and always there. */
export const demoAgent = 'scripted'

/** The agent name for messages from an earlier conversation that a session started with. */
export const earlierAgent = 'legacy'

/** The display name of an agent. */
export const agentTitle = ({ agents }: Pick<Agents, 'agents'>, name: string): string =>
  agents?.find(agent => agent.name === name)?.title ?? (name === earlierAgent ? 'Earlier conversation' : name)
