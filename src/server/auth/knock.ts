import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'

/** The unverified facts of a request. The same for calls and for WebSockets. */
export interface Knock {
  readonly method: string
  readonly path: string
  /** Who asks, as far as the network knows. */
  readonly address: string
  readonly host: string | null
  /** By which scheme the server was reached, as the carrier of the request saw it. */
  readonly scheme: 'http' | 'https'
  readonly hasBody: boolean
  /** Whether it wants to become a WebSocket. */
  readonly isUpgrade: boolean
  header(name: KnockHeader): string | null
}

/** The headers that the doors look at. */
export type KnockHeader =
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
export function knockOf(request: Request, address: string): Knock {
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
export function upgradeKnock({ method = 'GET', url = '/', headers, socket }: IncomingMessage): Knock {
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
