import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { isIP, type AddressInfo, type Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { DragomanError } from '../../protocol/error.ts'
import type { Dragoman } from '../create-dragoman.ts'
import { attachWebSockets } from '../websocket/attach-web-sockets.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { answerBadRequests } from './bad-requests.ts'
import { createNodeListener } from './node-listener.ts'

/** What is served, and where. */
export interface ServeOptions {
  readonly dragoman: Dragoman
  /** Default: 127.0.0.1, which only this machine can reach. */
  readonly host?: string
  /** Default: 4400. 0 picks a free port. */
  readonly port?: number
}

/** A listening server. Disposing of it ends streams and agents properly, then the server, within ten seconds. */
export interface Serving extends AsyncDisposable {
  readonly url: string
  readonly port: number
}

/** Puts a server on a port, with its WebSockets. */
export async function serve({ dragoman, host = '127.0.0.1', port = 4400 }: ServeOptions): Promise<Serving> {
  const { parts, guard } = dragoman.inside
  const { limits } = parts.options
  const server = createNodeServer(dragoman)
  const sockets = trackConnections(server)
  answerBadRequests(server)
  attachWebSockets(server, parts, guard)
  const bound = await listen(server, host, port)
  const name = isIP(host) === 6 ? `[${host}]` : host
  // A wildcard address is not a usable host name.
  const names = ['127.0.0.1', 'localhost', '[::1]', ...(isAnywhere(host) ? [] : [name])]
  guard.hosts.add(...names.flatMap(each => namesAt(each, bound)))
  const loop = measureLoop(parts.metrics)
  parts.log('info', 'The server is listening.', { host, port: bound })
  return {
    url: `http://${isAnywhere(host) ? '127.0.0.1' : name}:${bound}`,
    port: bound,
    async [Symbol.asyncDispose]() {
      parts.log('info', 'The server is shutting down.')
      dragoman.drain()
      // At the same time, because chats finish only when their agents end.
      const ended = dragoman[Symbol.asyncDispose]()
      await drain(server, sockets, limits.drainMs)
      await ended
      loop[Symbol.dispose]()
      parts.log('info', 'The server stopped.')
    },
  }
}

/** Browsers leave out the default port, so the host name alone is valid too. */
const namesAt = (name: string, port: number) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]

const isAnywhere = (host: string) => host === '0.0.0.0' || host === '::'

function createNodeServer(dragoman: Dragoman): Server {
  const { limits } = dragoman.inside.parts.options
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(5000, limits.headersMs),
      keepAliveTimeout: 30_000,
      noDelay: true,
      // Our code refuses a request without a host, with a clear message.
      requireHostHeader: false,
    },
    createNodeListener(dragoman),
  )
  server.maxConnections = limits.connections
  server.on('drop', () => dragoman.inside.parts.metrics.connectionsDropped.add())
  return server
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw cannotListen(error as NodeJS.ErrnoException, host, port)
  }
  return (server.address() as AddressInfo).port
}

/** Measures the delay of the event loop, until disposed of. */
function measureLoop({ registry }: Metrics): Disposable {
  const delays = monitorEventLoopDelay({ resolution: 20 })
  delays.enable()
  registry.measure(
    'event_loop_lag',
    'Delay of the event loop in seconds, 99th percentile since the last read.',
    () => {
      const seconds = delays.percentile(99) / 1e9
      delays.reset()
      return seconds
    },
  )
  return { [Symbol.dispose]: () => void delays.disable() }
}

const lookEveryMs = 20

/** Tracks the connections of a server, including WebSockets, which Node's server no longer tracks. */
function trackConnections(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  // One listener for all of them, because there may be thousands.
  const forget = function (this: Socket) {
    sockets.delete(this)
  }
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', forget)
  })
  return sockets
}

/** Waits a while for running requests to end, then closes everything. Until then, new requests get a refusal. */
async function drain(server: Server, sockets: ReadonlySet<Socket>, withinMs: number): Promise<void> {
  const closed = once(server, 'close')
  const deadline = performance.now() + withinMs
  server.closeIdleConnections()
  while (performance.now() < deadline && sockets.size > 0) {
    await wait(lookEveryMs)
    server.closeIdleConnections()
  }
  server.close()
  for (const socket of sockets) socket.destroy()
  await closed
}

/** The error for a port that cannot be listened on. */
export function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): DragomanError {
  const isTaken = error.code === 'EADDRINUSE'
  const advice = isTaken
    ? 'The port is in use. Choose another with --port, or stop the other program.'
    : `${error.message}.`
  return new DragomanError(
    isTaken ? 'address-in-use' : 'invalid-input',
    `The server cannot listen on ${host}, port ${port}. ${advice}`,
    { cause: error },
  )
}
