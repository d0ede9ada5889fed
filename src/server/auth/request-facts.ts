import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'

/** What a request claims about itself, before it is checked. The same for calls and WebSockets. */
export interface RequestFacts {
  readonly method: string
  readonly path: string
  /** The network address of the client. */
  readonly address: string
  readonly host: string | null
  /** The scheme by which the server was reached, from the connection itself. */
  readonly scheme: 'http' | 'https'
  readonly hasBody: boolean
  /** Whether it asks for a WebSocket. */
  readonly isUpgrade: boolean
  header(name: CheckedHeader): string | null
}

/** The headers that the guard checks. */
export type CheckedHeader =
  | 'authorization'
  | 'content-type'
  | 'cookie'
  | 'origin'
  | 'sec-fetch-dest'
  | 'sec-fetch-mode'
  | 'sec-fetch-site'
  | 'sec-websocket-protocol'
  | 'x-dragoman-key'

/** The facts of a request. When mounted in another server, only the URL may contain the host. */
export function factsOfRequest(request: Request, address: string): RequestFacts {
  const { method, headers } = request
  const { pathname, host, protocol } = new URL(request.url)
  return {
    method,
    path: pathname,
    address,
    host: headers.get('host') ?? host,
    scheme: protocol === 'https:' ? 'https' : 'http',
    hasBody: (headers.get('content-length') ?? '0') !== '0' || headers.has('transfer-encoding'),
    isUpgrade: false,
    header: name => headers.get(name),
  }
}

/** The facts of a request for a WebSocket. */
export function factsOfUpgrade({
  method = 'GET',
  url = '/',
  headers,
  socket,
}: IncomingMessage): RequestFacts {
  return {
    method,
    path: url.split('?', 1)[0] ?? '/',
    address: socket.remoteAddress ?? 'unknown',
    host: headers.host ?? null,
    scheme: socket instanceof TLSSocket ? 'https' : 'http',
    hasBody: false,
    isUpgrade: true,
    header(name) {
      const value = headers[name]
      return value === undefined || Array.isArray(value) ? null : value
    },
  }
}
