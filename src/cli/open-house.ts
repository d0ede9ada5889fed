import type { Agent } from '../agents/agent.ts'
import { agents } from '../agents/index.ts'
import { removeUnfinished } from '../agents/kit/overflow.ts'
import { endOrphans } from '../agents/kit/process-registry.ts'
import { createCatalogue } from '../catalogue/catalogue.ts'
import { catalogueMigrations } from '../catalogue/schema.ts'
import { createBell } from '../journal/bell.ts'
import type { Bell, Journal } from '../journal/journal.ts'
import { openSqliteJournal } from '../journal/sqlite/open-sqlite-journal.ts'
import { openSessions, type Sessions } from '../sessions/sessions.ts'
import type { Configuration } from './configuration/keys.ts'

/** A data folder in use: its journal and its sessions. Disposing of it ends every agent and lets the folder go. */
export interface House extends AsyncDisposable {
  readonly folder: string
  readonly journal: Journal
  readonly bell: Bell
  readonly sessions: Sessions
  readonly agents: ReadonlyMap<string, Agent>
}

/** Opens a data folder, alone: the one place where stores, agents and sessions are put together. */
export async function openHouse(configuration: Configuration): Promise<House> {
  const { data: folder, durability, maxRunning, idleMinutes } = configuration
  await using opened = new AsyncDisposableStack()
  const bell = createBell()
  const components = [{ name: 'catalogue', migrations: catalogueMigrations }]
  const onTrouble = ({ message }: Error) => void process.stderr.write(`warning ${message}\n`)
  const journal = opened.use(await openSqliteJournal({ folder, bell, durability, components, onTrouble }))
  // The folder is ours now, so whatever an earlier process left in it is nobody's.
  await Promise.all([endOrphans(folder), removeUnfinished(folder)])
  const sessions = opened.use(
    await openSessions({
      journal,
      catalogue: createCatalogue(journal.tables),
      agents,
      dataFolder: folder,
      limits: { places: maxRunning, idleMs: idleMinutes * 60_000 },
      recent: journal.recent,
    }),
  )
  const resources = opened.move()
  return {
    folder,
    journal,
    bell,
    sessions,
    agents: new Map(agents.map(agent => [agent.name, agent])),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
