import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { DragomanError } from '../../protocol/error.ts'
import type { Guard } from '../auth/guard.ts'
import { protocolPrefix } from '../auth/browser-key.ts'
import { factsOfUpgrade } from '../auth/request-facts.ts'
import type { ServerParts } from '../server-parts.ts'
import { refuseSocket } from '../refuse-socket.ts'
import { refuseWhenDraining } from '../refuse-when-draining.ts'
import { unknownPath } from '../unknown-path.ts'
import { openChatSocket } from './chat-socket.ts'
import type { Upgraded } from './open-socket.ts'
import { openSessionSocket } from './session-socket.ts'

type Dialect = 'portable' | 'v7'

/** A WebSocket endpoint: its path and its handler. */
interface Route {
  readonly server: WebSocketServer
  open(upgraded: Upgraded, dialect: Dialect): void
}

/** Adds the WebSocket endpoints to a server. A refused client or an unknown path gets a problem, as for a call. */
export function attachWebSockets(server: Server, parts: ServerParts, guard: Guard): void {
  const routes = createRoutes(parts)
  const choose = (request: IncomingMessage, path: string): Route => {
    guard.check(factsOfUpgrade(request))
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined
    if (route === undefined) throw unknownPath(request.method ?? 'GET', path)
    refuseWhenDraining(parts)
    const open = parts.streams.count('websocket')
    if (open < parts.options.limits.sockets) return route
    throw new DragomanError('too-many-connections', `Too many open WebSockets (${open}). Close some first.`)
  }
  server.on('upgrade', (request, connection, head) => {
    connection.on('error', ignore)
    const [path = '/', query = ''] = (request.url ?? '/').split('?', 2)
    try {
      const route = choose(request, path)
      const open = opener(route, readDialect(query), connection as Socket)
      route.server.handleUpgrade(request, connection, head, open)
    } catch (error) {
      refuseSocket(connection, error)
    }
  })
}

/** A broken connection is closed; nothing else is needed. */
const ignore = () => {}

function createRoutes(parts: ServerParts): Readonly<Record<string, Route>> {
  const { frameBytes, bodyBytes } = parts.options.limits
  return {
    '/api/ws': {
      server: createWebSocketServer(frameBytes),
      open: upgraded => openSessionSocket(parts, upgraded),
    },
    '/api/chat/ws': {
      // A chat sends all its messages, as in a call.
      server: createWebSocketServer(bodyBytes),
      open: (upgraded, dialect) => openChatSocket(parts, upgraded, dialect),
    },
  }
}

/** Without compression, which would need more memory per socket than everything else. */
const createWebSocketServer = (maxPayload: number) =>
  new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    // A page offers its key as a second subprotocol; the reply must not repeat it.
    handleProtocols: offered => [...offered].find(name => !name.startsWith(protocolPrefix)) ?? false,
  })

/** A separate function, so that the open socket does not keep the request in memory. */
const opener =
  (route: Route, dialect: Dialect, connection: Socket) =>
  (ws: WebSocket): void =>
    route.open({ ws, connection }, dialect)

function readDialect(query: string): Dialect {
  const dialect = new URLSearchParams(query).get('dialect') ?? 'portable'
  if (dialect === 'portable' || dialect === 'v7') return dialect
  throw new DragomanError('invalid-input', 'The parameter "dialect" must be "portable" or "v7".')
}
