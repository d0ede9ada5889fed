import type { Agent } from '../agents/agent.ts'
import { agents as ours } from '../agents/index.ts'
import { configuredModel, modelPresets } from '../agents/model/index.ts'
import { createRemoteAgent } from '../agents/remote/index.ts'
import { DragomanError, isDragomanError } from '../protocol/error.ts'
import type { AgentSettings, Configuration } from './configuration/keys.ts'

/** The agents that need no settings. */
const agents: readonly Agent[] = [...ours, ...modelPresets]

/** Every agent that there is with some settings: those that Dragoman knows, and those that the settings add. */
export function agentsOf({ agents: added }: Pick<Configuration, 'agents'>): readonly Agent[] {
  const taken = agents.find(({ name }) => Object.hasOwn(added, name))
  if (taken)
    throw new DragomanError(
      'invalid-input',
      `"agents.${taken.name}" must have another name: that one is taken.`,
    )
  return [...agents, ...Object.entries(added).map(([name, settings]) => agentOf(name, settings))]
}

function agentOf(name: string, settings: AgentSettings): Agent {
  if (settings.kind === 'remote') return createRemoteAgent({ name, settings, agents })
  try {
    return configuredModel(name, settings)
  } catch (error) {
    if (!isDragomanError(error)) throw error
    throw new DragomanError('invalid-input', `"agents.${name}" cannot be used. ${error.message}`)
  }
}
