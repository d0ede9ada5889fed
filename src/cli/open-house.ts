import type { Agent } from '../agents/agent.ts'
import { agents } from '../agents/index.ts'
import { removeUnfinished } from '../agents/kit/overflow.ts'
import { endOrphans } from '../agents/kit/process-registry.ts'
import type { Bell, Journal } from '../journal/journal.ts'
import { openSessions, type Sessions } from '../sessions/sessions.ts'
import { openStore } from '../store/open-store.ts'
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
  const onTrouble = ({ message }: Error) => void process.stderr.write(`warning ${message}\n`)
  const { journal, bell, catalogue, recent } = opened.use(await openStore({ folder, durability, onTrouble }))
  // The folder is ours now, so whatever an earlier process left in it is nobody's.
  await Promise.all([endOrphans(folder), removeUnfinished(folder)])
  const sessions = opened.use(
    await openSessions({
      journal,
      catalogue,
      agents,
      dataFolder: folder,
      limits: { places: maxRunning, idleMs: idleMinutes * 60_000 },
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
