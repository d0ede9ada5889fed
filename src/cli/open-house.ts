import type { Agent } from '../agents/agent.ts'
import { removeUnfinished } from '../agents/kit/overflow.ts'
import { endOrphans } from '../agents/kit/process-registry.ts'
import type { Bell, Journal } from '../journal/journal.ts'
import { openSessions, type Sessions } from '../sessions/sessions.ts'
import type { DragomanError } from '../protocol/error.ts'
import type { Limits } from '../sessions/limits.ts'
import { createFolderCheck } from '../server/roots.ts'
import { openStore, type SqliteStore } from '../store/open-store.ts'
import { agentsOf } from './configured-agents.ts'
import type { Configuration } from './configuration/keys.ts'
import { seldom } from './terminal/seldom.ts'

/** A data folder in use: its journal and its sessions. Disposing of it ends every agent and lets the folder go. */
export interface House extends AsyncDisposable {
  readonly folder: string
  readonly journal: Journal
  readonly bell: Bell
  readonly sessions: Sessions
  readonly agents: ReadonlyMap<string, Agent>
}

/** Opens a data folder, alone: the one place where stores, agents and sessions are put together. */
export async function openHouse(command: string, configuration: Configuration): Promise<House> {
  await using opened = new AsyncDisposableStack()
  const warn = seldom(sentence => process.stderr.write(`warning ${sentence}\n`))
  const onTrouble = ({ message }: Error) => warn(message)
  const store = opened.use(await openOwnStore(command, configuration, onTrouble))
  const { folder, journal, bell, catalogue, recent } = store
  const agents = await agentsOf(configuration)
  const sessions = opened.use(
    await openSessions({
      journal,
      bell,
      catalogue,
      agents,
      dataFolder: folder,
      // Whoever runs the command chooses any folder of theirs, but not that of the data.
      checkFolder: createFolderCheck(['/'], folder),
      limits: sessionLimits(configuration),
      routes: configuration.routes,
      context: configuration.context,
      strategies: configuration.strategies,
      recent,
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

/** Opens the store in a data folder, and clears away what an earlier process left there. */
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

/** The bounds of sessions that can be set. */
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
