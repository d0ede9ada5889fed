import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { isIP, type AddressInfo } from 'node:net'
import { DragomanError } from '../../protocol/error.ts'
import type { Dragoman } from '../create-dragoman.ts'
import { attachWebSockets } from '../websocket/attach-web-sockets.ts'
import { answerBadRequests } from './bad-requests.ts'
import { drain, trackConnections } from './drain.ts'
import { measureLoop } from './measure-loop.ts'
import { createNodeListener } from './node-listener.ts'

/** What is served, and where. */
export interface ServeOptions {
  readonly dragoman: Dragoman
  /** 127.0.0.1 when left out: only this machine. */
  readonly host?: string
  /** 4400 when left out; 0 takes any that is free. */
  readonly port?: number
}

/** A server that listens. Disposing of it ends streams, agents and itself, in good order, in less than ten seconds. */
export interface Serving extends AsyncDisposable {
  readonly url: string
  readonly port: number
}

/** Puts a server on a port, with its WebSockets. */
export async function serve({ dragoman, host = '127.0.0.1', port = 4400 }: ServeOptions): Promise<Serving> {
  const { house, guard } = dragoman.inside
  const { limits } = house.options
  const server = createNodeServer(dragoman)
  const sockets = trackConnections(server)
  answerBadRequests(server)
  attachWebSockets(server, house, guard)
  const bound = await listen(server, host, port)
  const name = isIP(host) === 6 ? `[${host}]` : host
  // A wildcard address is not a usable host name.
  const names = ['127.0.0.1', 'localhost', '[::1]', ...(isAnywhere(host) ? [] : [name])]
  guard.hosts.add(...names.flatMap(each => namesAt(each, bound)))
  const loop = measureLoop(house.metrics)
  house.log('info', 'The server is listening.', { host, port: bound })
  return {
    url: `http://${isAnywhere(host) ? '127.0.0.1' : name}:${bound}`,
    port: bound,
    async [Symbol.asyncDispose]() {
      house.log('info', 'The server is shutting down.')
      dragoman.drain()
      // Side by side: agents that end let the chats that wait for them finish.
      const ended = dragoman[Symbol.asyncDispose]()
      await drain(server, sockets, limits.drainMs)
      await ended
      loop[Symbol.dispose]()
      house.log('info', 'The server stopped.')
    },
  }
}

/** On the port that browsers leave out, the name alone is asked for too. */
const namesAt = (name: string, port: number) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]

const isAnywhere = (host: string) => host === '0.0.0.0' || host === '::'

function createNodeServer(dragoman: Dragoman): Server {
  const { limits } = dragoman.inside.house.options
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
  server.on('drop', () => dragoman.inside.house.metrics.connectionsDropped.add())
  return server
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const isTaken = code === 'EADDRINUSE'
    const advice = isTaken
      ? 'The port is in use. Choose another with --port, or stop the other program.'
      : `${message}.`
    throw new DragomanError(
      isTaken ? 'address-in-use' : 'invalid-input',
      `The server cannot listen on ${host}, port ${port}. ${advice}`,
      { cause: error },
    )
  }
  return (server.address() as AddressInfo).port
}
