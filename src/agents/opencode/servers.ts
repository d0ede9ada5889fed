import { DragomanError } from '../../protocol/error.ts'
import { startServer, type Server, type ServerOptions } from './server.ts'

/** The right to use a server, until it is disposed of. The last to leave ends it. */
export interface Lease extends AsyncDisposable {
  readonly server: Server
}

interface Shared {
  readonly starting: Promise<Server>
  /** Ends it while it is starting. */
  readonly stop: AbortController
  isUp: boolean
  users: number
}

/** The running servers: one per folder and settings, whoever uses it. A server takes some hundred megabytes. */
export interface Servers {
  /** Rejects as soon as the signal is aborted: one that is still starting, and nobody else waits for, is ended. */
  lease(options: Omit<ServerOptions, 'signal'>, signal: AbortSignal): Promise<Lease>
}

/** Keeps the servers. */
export function createServers(start: typeof startServer = startServer): Servers {
  const shared = new Map<string, Shared>()
  return {
    async lease(options, signal) {
      const key = JSON.stringify([options.cwd, options.config, options.dataFolder])
      const known = shared.get(key)
      const entry = known ?? begin(shared, key, stop => start({ ...options, signal: stop }))
      entry.users += 1
      const leave = once(async () => {
        entry.users -= 1
        if (entry.users > 0) return
        if (shared.get(key) === entry) shared.delete(key)
        if (!entry.isUp) entry.stop.abort()
        const server = await entry.starting.catch(() => null)
        await server?.[Symbol.asyncDispose]()
      })
      try {
        const server = await Promise.race([entry.starting, abortion(signal)])
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
function begin(
  shared: Map<string, Shared>,
  key: string,
  start: (stop: AbortSignal) => Promise<Server>,
): Shared {
  const stop = new AbortController()
  const entry: Shared = { starting: start(stop.signal), stop, isUp: false, users: 0 }
  shared.set(key, entry)
  const forget = () => {
    if (shared.get(key) === entry) shared.delete(key)
  }
  entry.starting.then(({ exit }) => {
    entry.isUp = true
    void exit.then(forget)
  }, forget)
  return entry
}

/** Never comes unless the signal is aborted. */
function abortion(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  const tell = () => reject(new DragomanError('agent-unavailable', 'OpenCode startup was cancelled.'))
  if (signal.aborted) tell()
  signal.addEventListener('abort', tell, { once: true })
  // When the server was there first, nobody listens any more.
  promise.catch(() => {})
  return promise
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null
  return () => (done ??= work())
}
