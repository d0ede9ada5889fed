import type { Agent } from '../agents/agent.ts'
import { agents as ours, modelPresets } from '../agents/index.ts'
import { loaded } from '../agents/load-when-used.ts'
import { DragomanError, isDragomanError } from '../protocol/error.ts'
import type { AgentSettings, Configuration } from './configuration/keys.ts'

/** The agents that need no settings. */
const agents: readonly Agent[] = [...ours, ...modelPresets]

/** All agents: the built-in ones, and those from the settings. */
export const agentsOf = async (configuration: Added): Promise<readonly Agent[]> =>
  (await withFaults(configuration)).agents

/** The same agents with their code loaded, for a program that runs for long or reads the lines of any of them. */
export const loadedAgentsOf = async (configuration: Added): Promise<readonly Agent[]> =>
  Promise.all((await agentsOf(configuration)).map(loaded))

/** The names of these agents. */
export const agentNamesOf = ({ agents: added }: Added): ReadonlySet<string> =>
  new Set([
    ...agents.map(({ name }) => name).filter(name => !Object.hasOwn(added, name)),
    ...Object.keys(added),
  ])

/** The errors in configured agents, one sentence each. Such an agent fails with it when it is used. */
export const agentFaults = async (configuration: Added): Promise<readonly string[]> =>
  (await withFaults(configuration)).faults

/** The agent of a new session: the configured one, the one chosen in the app, or the best one that is ready, as in a server. */
export async function agentFor(
  { agent, data }: Pick<Configuration, 'agent' | 'data'>,
  all: readonly Agent[],
  cwd: string,
): Promise<string> {
  if (agent !== null) return agent
  const { readPreferences } = await import('./preferences.ts')
  const preferred = readPreferences(data).agent
  if (all.some(({ name }) => name === preferred)) return String(preferred)
  const { findDefaultAgent } = await import('../server/default-agent.ts')
  return findDefaultAgent(all, each => each.find(), { cwd, dataFolder: data })
}

type Added = Pick<Configuration, 'agents'>

async function withFaults({ agents: added }: Added) {
  const faults: string[] = []
  const made: Agent[] = []
  for (const [name, settings] of Object.entries(added)) {
    const taken = agents.find(agent => agent.name === name)
    try {
      if (taken) throw refusal(`"agents.${name}" needs a different name: this one is already in use.`)
      made.push(await agentOf(name, settings))
    } catch (error) {
      if (!isDragomanError(error)) throw error
      faults.push(error.message)
      made.push(await unusable(name, error, taken))
    }
  }
  // If invalid settings use the name of a built-in agent, the built-in agent must not run instead.
  return { agents: [...agents.filter(({ name }) => !Object.hasOwn(added, name)), ...made], faults }
}

async function agentOf(name: string, settings: AgentSettings): Promise<Agent> {
  if (settings.kind === 'wrong') throw refusal(settings.why)
  if (settings.kind === 'remote') {
    const { createRemoteAgent } = await import('../agents/remote/index.ts')
    const known = agents.map(async agent => (agent.name === settings.agent ? loaded(agent) : agent))
    return createRemoteAgent({ name, settings, agents: await Promise.all(known) })
  }
  const { configuredModel } = await import('../agents/model/index.ts')
  try {
    return configuredModel(name, settings)
  } catch (error) {
    if (!isDragomanError(error)) throw error
    throw refusal(`"agents.${name}" cannot be used. ${error.message}`)
  }
}

/** Replaces an agent with invalid settings: its sessions can be read, and using it fails with the reason. */
async function unusable(name: string, error: DragomanError, like: Agent | undefined): Promise<Agent> {
  const known =
    like === undefined
      ? { ...(await import('../agents/model/index.ts')).model, title: name }
      : await loaded(like)
  return {
    ...known,
    name,
    find: () => Promise.resolve({ status: 'broken', version: null, advice: error.message }),
    check: () => Promise.reject(error),
    connect: () => Promise.reject(error),
  }
}

const refusal = (sentence: string) => new DragomanError('invalid-input', sentence)
