import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { DragomanError } from '../../protocol/error.ts'
import type { Guard } from '../auth/guard.ts'
import { protocolPrefix } from '../auth/browser-key.ts'
import { upgradeKnock } from '../auth/knock.ts'
import type { House } from '../house.ts'
import { refuseSocket } from '../refuse-socket.ts'
import { refuseWhenDraining } from '../refuse-when-draining.ts'
import { unknownPath } from '../unknown-path.ts'
import { openChatSocket } from './chat-socket.ts'
import type { Upgraded } from './open-socket.ts'
import { openSessionSocket } from './session-socket.ts'

type Dialect = 'portable' | 'v7'

/** One way to use a WebSocket: its address, and what is done with it. */
interface Route {
  readonly server: WebSocketServer
  open(upgraded: Upgraded, dialect: Dialect): void
}

/** Adds the WebSockets to a server. Whoever may not come in, or asks for another address, gets a problem as by a call. */
export function attachWebSockets(server: Server, house: House, guard: Guard): void {
  const routes = createRoutes(house)
  const choose = (request: IncomingMessage, path: string): Route => {
    guard.check(upgradeKnock(request))
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined
    if (route === undefined) throw unknownPath(request.method ?? 'GET', path)
    refuseWhenDraining(house)
    const open = house.streams.count('websocket')
    if (open < house.options.limits.sockets) return route
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

function createRoutes(house: House): Readonly<Record<string, Route>> {
  const { frameBytes, bodyBytes } = house.options.limits
  return {
    '/api/ws': {
      server: createWebSocketServer(frameBytes),
      open: upgraded => openSessionSocket(house, upgraded),
    },
    '/api/chat/ws': {
      // A chat sends all its messages along, as by a call.
      server: createWebSocketServer(bodyBytes),
      open: (upgraded, dialect) => openChatSocket(house, upgraded, dialect),
    },
  }
}

/** Without compression: it costs more memory for each socket than all the rest. */
const createWebSocketServer = (maxPayload: number) =>
  new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    // A page offers its key beside a name; the key is not to be repeated.
    handleProtocols: offered => [...offered].find(name => !name.startsWith(protocolPrefix)) ?? false,
  })

/** Apart, so that nothing of the request is kept for as long as the socket is open. */
const opener =
  (route: Route, dialect: Dialect, connection: Socket) =>
  (ws: WebSocket): void =>
    route.open({ ws, connection }, dialect)

function readDialect(query: string): Dialect {
  const dialect = new URLSearchParams(query).get('dialect') ?? 'portable'
  if (dialect === 'portable' || dialect === 'v7') return dialect
  throw new DragomanError('invalid-input', 'The parameter "dialect" must be "portable" or "v7".')
}
