import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server on loopback, until it is disposed. */
export interface Loopback extends AsyncDisposable {
  readonly url: string
}

/** Serves on a free port. A request whose answer fails is cut off. */
export async function listenOnLoopback(
  respond: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
): Promise<Loopback> {
  const server = createServer((incoming, outgoing) => {
    void respond(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => {
        server.close(resolve)
      })
    },
  }
}
