import type { DragomanOptions } from './create-dragoman.ts'
import { findDefaultAgent } from './default-agent.ts'
import type { FindAgent } from './find-agent.ts'
import type { ServerLimits } from './limits.ts'
import type { KeptPreferences } from './preferences.ts'
import type { CheckFolder } from './roots.ts'
import type { ServerSettings } from './server-parts.ts'
import { shortRawBytes } from './short-raw-bytes.ts'

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
  options: DragomanOptions,
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
