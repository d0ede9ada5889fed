import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Agent } from '../../agents/agent.ts'
import { redact } from '../../protocol/redact.ts'
import { agentNamesOf, agentsOf } from '../configured-agents.ts'
import type { Shell } from '../shell.ts'
import { refusal } from './check.ts'
import { keys, type Configuration } from './keys.ts'
import { fromTexts, readFile, type Typed } from './read-source.ts'

/** The values of options; those that are not settings are ignored. */
export type FlagTexts = Readonly<Record<string, Typed>>

const defaults = {
  agent: null,
  durability: 'full',
  maxRunning: 8,
  idleMinutes: 5,
  approvalMinutes: 24 * 60,
  port: null,
  host: '127.0.0.1',
  token: null,
  roots: null,
  allowHosts: [],
  routes: {},
  agents: {},
  open: true,
  log: null,
  context: null,
  strategies: [],
  prices: {},
  followTranscripts: null,
} as const

/** Puts settings together: options win over the environment, that over a named file, that over the file in the data folder. */
export function readConfiguration(flags: FlagTexts, shell: Surroundings): Configuration {
  const chosen = chosenSettings(flags, shell)
  const data = chosen.data ?? defaultFolder(shell.env)
  const configuration = { ...defaults, ...fromFolder(data), ...chosen, data }
  checkAgents(configuration, flags[keys.agent.flag] !== undefined)
  return configuration
}

/** Checks the names of agents. An option may name an agent that only the server knows, so the server checks that one. */
function checkAgents(configuration: Configuration, isOption: boolean): void {
  const names = agentNamesOf(configuration)
  const wanted = [
    ...(isOption || configuration.agent === null ? [] : [['agent', configuration.agent] as const]),
    ...Object.entries(configuration.routes).map(([word, name]) => [`routes.${word}`, name] as const),
  ]
  const wrong = wanted.find(([, name]) => !names.has(name))
  if (wrong === undefined) return
  const [key, name] = wrong
  throw refusal(
    `"${redact(key)}" must be the name of an agent, not ${JSON.stringify(redact(name).slice(0, 100))}. Available agents: ${[...names].join(', ')}.`,
  )
}

/** The data folder, also when settings are invalid. */
export function folderMeant(flags: FlagTexts, shell: Surroundings): string {
  try {
    return chosenSettings(flags, shell).data ?? defaultFolder(shell.env)
  } catch {
    // Errors in the settings are reported elsewhere.
    const typed = flags[keys.data.flag] || shell.env[keys.data.variable]
    return typeof typed === 'string' ? resolve(shell.cwd, typed) : defaultFolder(shell.env)
  }
}

/** The configured agents, or only the built-in ones if settings are invalid. */
export async function agentsMeant(flags: FlagTexts, shell: Surroundings): Promise<readonly Agent[]> {
  try {
    return await agentsOf(readConfiguration(flags, shell))
  } catch {
    // Errors in the settings are reported elsewhere.
    return agentsOf(defaults)
  }
}

type Surroundings = Pick<Shell, 'env' | 'cwd'>

function chosenSettings(flags: FlagTexts, { env, cwd }: Surroundings): Partial<Configuration> {
  const fromFlags = fromTexts(
    cwd,
    name => flags[keys[name].flag],
    name => `the option --${keys[name].flag}`,
  )
  const fromEnvironment = fromTexts(
    cwd,
    // An empty token is an error, because the user may think that there is one; other empty values mean not set.
    name => (name === 'token' ? env[keys[name].variable] : env[keys[name].variable] || undefined),
    name => `${keys[name].variable} in the environment`,
  )
  const path = flags['config'] ?? (env['DRAGOMAN_CONFIG'] || undefined)
  const fromNamed = typeof path === 'string' ? readFile(resolve(cwd, path), false) : {}
  return { ...fromNamed, ...fromEnvironment, ...fromFlags }
}

/** The settings in a data folder, which cannot name another data folder. */
function fromFolder(data: string): Partial<Configuration> {
  const path = join(data, 'dragoman.json')
  const settings = readFile(path, true)
  if (settings.data !== undefined)
    throw refusal(
      `"data" in ${path} has no effect. Set it with --data, DRAGOMAN_DATA or a file passed to --config.`,
    )
  return settings
}

/** The default data folder: the system's place for application data. */
export function defaultFolder(env: Shell['env'], platform: NodeJS.Platform = process.platform): string {
  const home = env['HOME'] || homedir()
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'dragoman')
  const data = env['XDG_DATA_HOME']
  // The XDG standard says to ignore a relative path.
  return join(data?.startsWith('/') === true ? data : join(home, '.local', 'share'), 'dragoman')
}
