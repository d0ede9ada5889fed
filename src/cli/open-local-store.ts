import type { Agent } from '../agents/agent.ts'
import { removeUnfinished } from '../agents/kit/overflow.ts'
import { endOrphans } from '../agents/kit/process-registry.ts'
import type { Bell, Journal } from '../journal/journal.ts'
import { openSessions, type Sessions } from '../sessions/sessions.ts'
import type { Search } from '../search/search.ts'
import { createPriceBook, type OpenPriceBook } from '../prices/open-price-book.ts'
import type { DragomanError } from '../protocol/error.ts'
import type { Limits } from '../sessions/limits.ts'
import { createFolderCheck } from '../server/roots.ts'
import { openStore, type SqliteStore } from '../store/open-store.ts'
import { agentsOf } from './configured-agents.ts'
import type { Configuration } from './configuration/keys.ts'
import { readPreferences } from './preferences.ts'
import { seldom } from './terminal/seldom.ts'

/** An open data folder: its journal and its sessions. Disposing of it stops every agent and unlocks the folder. */
export interface LocalStore extends AsyncDisposable {
  readonly folder: string
  readonly journal: Journal
  readonly bell: Bell
  readonly search: Search
  readonly sessions: Sessions
  /** The prices of models, loaded when they are needed. */
  readonly openPrices: OpenPriceBook
  readonly agents: ReadonlyMap<string, Agent>
}

/** Opens a data folder for this process only. Connects the store, the agents and the sessions. */
export async function openLocalStore(command: string, configuration: Configuration): Promise<LocalStore> {
  await using opened = new AsyncDisposableStack()
  const warn = seldom(sentence => process.stderr.write(`warning ${sentence}\n`))
  const onTrouble = ({ message }: Error) => warn(message)
  const store = opened.use(await openOwnStore(command, configuration, onTrouble))
  const { folder, journal, bell, catalogue, search, recent } = store
  const agents = await agentsOf(configuration)
  const sessions = opened.use(
    await openSessions({
      journal,
      bell,
      catalogue,
      agents,
      dataFolder: folder,
      // The user of the command may choose any folder except the data folder.
      checkFolder: createFolderCheck(['/'], folder),
      limits: sessionLimits(configuration),
      routes: configuration.routes,
      context: configuration.context ?? readPreferences(folder).context ?? 'safe',
      strategies: configuration.strategies,
      recent,
    }),
  )
  const resources = opened.move()
  return {
    folder,
    journal,
    bell,
    search,
    sessions,
    openPrices: createPriceBook(configuration.prices),
    agents: new Map(agents.map(agent => [agent.name, agent])),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Opens the store in a data folder, and removes leftovers of an earlier process. */
export async function openOwnStore(
  command: string,
  { data: folder, durability }: Configuration,
  onTrouble: (error: DragomanError) => void,
): Promise<SqliteStore> {
  await using opened = new AsyncDisposableStack()
  const store = opened.use(await openStore({ folder, durability, command, onTrouble }))
  // We own the folder now, so leftovers of an earlier process can be removed.
  await Promise.all([endOrphans(folder), removeUnfinished(folder)])
  opened.move()
  return store
}

/** The limits of sessions that can be configured. */
export const sessionLimits = ({
  maxRunning,
  idleMinutes,
  approvalMinutes,
}: Configuration): Partial<Limits> => ({
  places: maxRunning,
  idleMs: idleMinutes * minute,
  approvalMs: approvalMinutes * minute,
})

const minute = 60_000
