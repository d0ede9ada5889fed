import { startServer, type Server, type ServerOptions } from './server.ts'

/** The right to use a server, until it is disposed of. The last to leave ends it. */
export interface Lease extends AsyncDisposable {
  readonly server: Server
}

interface Shared {
  readonly starting: Promise<Server>
  users: number
}

/** The running servers: one per folder and settings, whoever uses it. A server takes some hundred megabytes. */
export interface Servers {
  lease(options: ServerOptions): Promise<Lease>
}

/** Keeps the servers. */
export function createServers(start: typeof startServer = startServer): Servers {
  const shared = new Map<string, Shared>()
  return {
    async lease(options) {
      const key = JSON.stringify([options.cwd, options.config, options.dataFolder])
      const known = shared.get(key)
      const entry = known ?? begin(shared, key, start(options))
      entry.users += 1
      const leave = once(async () => {
        entry.users -= 1
        if (entry.users > 0) return
        if (shared.get(key) === entry) shared.delete(key)
        const server = await entry.starting.catch(() => null)
        await server?.[Symbol.asyncDispose]()
      })
      try {
        const server = await entry.starting
        if (known && server.pid !== null) options.started(server.pid)
        return { server, [Symbol.asyncDispose]: leave }
      } catch (error) {
        await leave()
        throw error
      }
    },
  }
}

/** One that has died is not given to anyone else. */
function begin(shared: Map<string, Shared>, key: string, starting: Promise<Server>): Shared {
  const entry = { starting, users: 0 }
  shared.set(key, entry)
  const forget = () => {
    if (shared.get(key) === entry) shared.delete(key)
  }
  starting.then(({ exit }) => exit.then(forget), forget)
  return entry
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null
  return () => (done ??= work())
}
