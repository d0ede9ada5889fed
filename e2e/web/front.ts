import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/** A server in front of Dragoman: it serves its own page and forwards calls with the token, which no browser sees. */
export interface Front extends AsyncDisposable {
  readonly url: string
  /** The server to which calls are forwarded; null while there is none. */
  behind: Behind | null
}

/** A Dragoman that calls are passed on to. */
export interface Behind {
  readonly url: string
  readonly token: string
}

/** Serves scripts by name, each on its own page. */
export async function openFront(scripts: ReadonlyMap<string, string>): Promise<Front> {
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/'
    if (path.startsWith('/api/')) return pass(front.behind, incoming, outgoing)
    const [, kind, name = ''] = /^\/(page|script)\/([^?]+)/.exec(path) ?? []
    const script = scripts.get(decodeURIComponent(name))
    if (script === undefined) return outgoing.writeHead(404).end()
    const html = `<!doctype html><meta charset="utf-8"><body><script type="module" src="/script/${name}"></script>`
    outgoing.writeHead(200, { 'content-type': kind === 'page' ? 'text/html' : 'text/javascript' })
    outgoing.end(kind === 'page' ? html : script)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const front: Front = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behind: null,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return front
}

function pass(behind: Behind | null, incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (behind === null) return void outgoing.writeHead(502).end()
  const {
    host: _host,
    origin: _origin,
    cookie: _cookie,
    connection: _connection,
    ...headers
  } = incoming.headers
  const site = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('sec-fetch')))
  const inner = request(
    new URL(incoming.url ?? '/', behind.url),
    { method: incoming.method, headers: { ...site, authorization: `Bearer ${behind.token}` } },
    answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
    },
  )
  inner.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()))
  outgoing.on('close', () => inner.destroy())
  incoming.pipe(inner)
}
