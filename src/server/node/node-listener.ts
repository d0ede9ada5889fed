import type { IncomingMessage, RequestListener } from 'node:http'
import { TLSSocket } from 'node:tls'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { DragomanError } from '../../protocol/error.ts'
import type { Dragoman } from '../create-dragoman.ts'
import { problemReply } from '../responses.ts'
import { streamHeaders } from '../responses.ts'
import { openNodeSink } from '../streams/node-sink.ts'

/** A server as a listener for `node:http` and frameworks on top of it, as in Express's `app.use`. */
export function createNodeListener({ inside: { parts: server, fetch } }: Dragoman): RequestListener {
  const { parkBytes } = server.options.limits
  const listener = getRequestListener(
    (request, env) => {
      const { incoming, outgoing } = env as HttpBindings
      if (isForeign(incoming)) return problemReply(foreign)
      return fetch(request, {
        address: incoming.socket.remoteAddress ?? 'unknown',
        stream(streamed) {
          const { endsByClosing } = streamed
          streamed.run(openNodeSink(outgoing, { headers: streamHeaders(streamed), endsByClosing, parkBytes }))
          return RESPONSE_ALREADY_SENT
        },
      })
    },
    // Node's global objects are not replaced, because other code may use them too.
    { overrideGlobalObjects: false, errorHandler: unreadable },
  )
  return (incoming, outgoing) => void listener(incoming, outgoing)
}

/** A request may have a full URL, as for a proxy. It must then match our scheme and the Host header. */
const isForeign = ({ url = '/', headers: { host }, socket }: IncomingMessage) => {
  const own = `${socket instanceof TLSSocket ? 'https' : 'http'}://${host}/`
  return !url.startsWith('/') && URL.parse(url)?.href.startsWith(own) !== true
}

const foreign = new DragomanError('not-allowed', 'This server does not proxy requests. Send only the path.')

/** The URL or its host is so malformed that no `Request` can be made. */
const unreadable = (cause: unknown) =>
  problemReply(
    new DragomanError('invalid-input', 'The URL or the Host header is not valid. Check their spelling.', {
      cause,
    }),
  )
