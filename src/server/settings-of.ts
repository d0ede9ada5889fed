import type { Agent } from '../agents/agent.ts'
import type { PriceSettings } from '../prices/price-settings.ts'
import type { Raw } from '../protocol/event.ts'
import { findDefaultAgent } from './default-agent.ts'
import type { FindAgent } from './find-agent.ts'
import type { ServerLimits } from './limits.ts'
import type { ContextProfile, KeptPreferences } from './preferences.ts'
import type { CheckFolder } from './roots.ts'
import type { ServerSettings } from './server-parts.ts'
import { shortRawBytes } from './short-raw-bytes.ts'

/** The options of a server that are settings. */
interface Options {
  readonly agents: readonly Agent[]
  readonly store: { readonly folder: string }
  readonly defaultAgent?: string
  readonly defaultFolder?: string
  readonly context?: ContextProfile
  readonly prices?: PriceSettings
  readonly web?: string
  readonly lint?: boolean
  readonly rawBytes?: (raw: Raw, dataFolder: string) => AsyncIterable<Uint8Array>
}

/** What the settings of a server depend on. */
interface Parts {
  readonly limits: ServerLimits
  readonly roots: readonly string[]
  readonly checkFolder: CheckFolder
  readonly findAgent: FindAgent
  readonly preferences: KeptPreferences
}

/** The settings of a server, with defaults. */
export async function settingsOf(
  options: Options,
  { limits, roots, checkFolder, findAgent, preferences }: Parts,
): Promise<ServerSettings> {
  const { agents, defaultAgent, defaultFolder = process.cwd() } = options
  const { lint = false, rawBytes = shortRawBytes } = options
  const dataFolder = options.store.folder
  const isAllowed = await checkFolder(defaultFolder).then(
    () => true,
    () => false,
  )
  // If the default folder is not allowed, the first allowed folder is used.
  const cwd = isAllowed ? defaultFolder : (roots[0] ?? defaultFolder)
  // A chosen agent may have been removed since.
  const known = (name: string | undefined) => agents.find(agent => agent.name === name)?.name
  return {
    defaultAgent: async () =>
      defaultAgent ??
      known(preferences.current().agent) ??
      findDefaultAgent(agents, agent => findAgent(agent), { cwd, dataFolder }),
    defaultFolder: cwd,
    roots,
    fixed: { agent: defaultAgent ?? null, context: options.context ?? null },
    prices: options.prices ?? {},
    web: options.web,
    limits,
    lint,
    rawBytes: raw => rawBytes(raw, dataFolder),
  }
}
