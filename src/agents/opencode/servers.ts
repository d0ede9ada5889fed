import { DragomanError } from '../../protocol/error.ts'
import { startServer, type Server, type ServerOptions } from './server.ts'

/** A lease on a server, until it is disposed. Disposing the last lease ends it. */
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

/** The running servers: one per folder and settings, shared by sessions. A server takes some hundred megabytes. */
export interface Servers {
  /** Rejects as soon as the signal is aborted: a starting server that no one else waits for is ended. */
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

/** A server that exited is not used again. */
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

/** Never settles unless the signal is aborted. */
function abortion(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  const cancel = () => reject(new DragomanError('agent-unavailable', 'OpenCode startup was cancelled.'))
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel, { once: true })
  // If the server was ready first, nothing handles the rejection.
  promise.catch(() => {})
  return promise
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null
  return () => (done ??= work())
}
