import type { Agent } from '../agents/agent.ts'
import { agents as ours } from '../agents/index.ts'
import { configuredModel, model, modelPresets } from '../agents/model/index.ts'
import { createRemoteAgent } from '../agents/remote/index.ts'
import { DragomanError, isDragomanError } from '../protocol/error.ts'
import type { AgentSettings, Configuration } from './configuration/keys.ts'

/** The agents that need no settings. */
const agents: readonly Agent[] = [...ours, ...modelPresets]

/** Every agent that there is with some settings: those that Dragoman knows, and those that the settings add. */
export const agentsOf = (configuration: Added): readonly Agent[] => withFaults(configuration).agents

/** The errors in configured agents, one sentence each. Such an agent fails with it when it is used. */
export const agentFaults = (configuration: Added): readonly string[] => withFaults(configuration).faults

type Added = Pick<Configuration, 'agents'>

function withFaults({ agents: added }: Added) {
  const faults: string[] = []
  const made = Object.entries(added).map(([name, settings]) => {
    const taken = agents.find(agent => agent.name === name)
    try {
      if (taken) throw refusal(`"agents.${name}" needs a different name: this one is already in use.`)
      return agentOf(name, settings)
    } catch (error) {
      if (!isDragomanError(error)) throw error
      faults.push(error.message)
      return unusable(name, error, taken)
    }
  })
  // Whoever took a known name meant another agent by it, so the known one must not answer instead.
  return { agents: [...agents.filter(({ name }) => !Object.hasOwn(added, name)), ...made], faults }
}

function agentOf(name: string, settings: AgentSettings): Agent {
  if (settings.kind === 'wrong') throw refusal(settings.why)
  if (settings.kind === 'remote') return createRemoteAgent({ name, settings, agents })
  try {
    return configuredModel(name, settings)
  } catch (error) {
    if (!isDragomanError(error)) throw error
    throw refusal(`"agents.${name}" cannot be used. ${error.message}`)
  }
}

/** Replaces an agent with invalid settings: its sessions can be read, and using it fails with the reason. */
function unusable(name: string, error: DragomanError, like: Agent = { ...model, title: name }): Agent {
  return {
    ...like,
    name,
    find: () => Promise.resolve({ status: 'broken', version: null, advice: error.message }),
    check: () => Promise.reject(error),
    connect: () => Promise.reject(error),
  }
}

const refusal = (sentence: string) => new DragomanError('invalid-input', sentence)
