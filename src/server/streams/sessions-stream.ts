import type { ServerParts } from '../server-parts.ts'
import type { Streamed } from './sink.ts'
import { eventStreamHeaders, namedFrame, openEventStream } from './event-stream.ts'
import { listenToSessions } from './sessions-channel.ts'
import type { Sink } from './sink.ts'

/** Follows all sessions: the running ones, then every change. A client that reconnects reads the list again. */
export function openSessionsStream(server: ServerParts): Streamed {
  return { headers: eventStreamHeaders, endsByClosing: true, run: sink => follow(server, sink) }
}

function follow(server: ServerParts, sink: Sink): void {
  const listening = listenToSessions(server, json =>
    events.send(`event: session\ndata: {"session":${json}}\n\n`),
  )
  const events = openEventStream(server, sink, {
    kind: 'sessions',
    drained: () => listening.drained(),
    gone: () => listening[Symbol.dispose](),
    farewell() {
      listening[Symbol.dispose]()
      return namedFrame('draining', {})
    },
  })
  listening.start(error => {
    server.log('error', 'Listing the running sessions failed.', { error })
    events.cut()
  })
}
