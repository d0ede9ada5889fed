import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

const lookEveryMs = 20

/** Knows the connections of a server, also those that became WebSockets, which the server itself forgets. */
export function trackConnections(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  // One function for all of them: there may be thousands.
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
export async function drain(server: Server, sockets: ReadonlySet<Socket>, withinMs: number): Promise<void> {
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
