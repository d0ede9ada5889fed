import { useEffect, useSyncExternalStore } from 'react'
import type { Client } from 'dragoman/client'
import { useClient } from 'dragoman/react'
import { useSecondTry } from '../ui/use-second-try.ts'

/** An agent, and whether it can run here. */
export type ListedAgent = Awaited<ReturnType<Client['listAgents']>>[number]

/** The agents that are known so far. */
export interface Agents {
  /** Null until the server has looked. */
  readonly agents: readonly ListedAgent[] | null
  readonly problem: string | null
}

interface Store {
  state: Agents
  readonly listeners: Set<() => void>
}

const stores = new WeakMap<Client, Store>()

function storeOf(client: Client): Store {
  const store = stores.get(client) ?? { state: { agents: null, problem: null }, listeners: new Set() }
  stores.set(client, store)
  return store
}

/** Asks again; what was known stays until there is an answer. */
async function ask(client: Client): Promise<void> {
  const store = storeOf(client)
  const { agents: before } = store.state
  store.state = await client.listAgents().then(
    agents => ({ agents, problem: null }),
    (error: Error) => ({ agents: before, problem: error.message }),
  )
  for (const listener of store.listeners) listener()
}

/** The agents of the server; each component that comes asks whether something has changed. */
export function useAgents(): Agents {
  const client = useClient()
  useEffect(() => void ask(client), [client])
  const known = useKnownAgents()
  useSecondTry(known.problem !== null, () => void ask(client))
  return known
}

/** How the server is asked for its agents once more. */
export function useAskAgents(): () => void {
  const client = useClient()
  return () => void ask(client)
}

/** The agents without another request, for components that appear in large numbers. */
export function useKnownAgents(): Agents {
  const store = storeOf(useClient())
  return useSyncExternalStore(
    listener => {
      store.listeners.add(listener)
      return () => store.listeners.delete(listener)
    },
    () => store.state,
  )
}

/** The agent name for messages from an earlier conversation that a session started with. */
export const earlierAgent = 'legacy'

/** The display name of an agent. */
export const agentTitle = ({ agents }: Agents, name: string): string =>
  agents?.find(agent => agent.name === name)?.title ?? (name === earlierAgent ? 'Earlier conversation' : name)
