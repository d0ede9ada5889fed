import type { House } from '../house.ts'
import type { Streamed } from '../streamed.ts'
import { eventStreamHeaders, namedFrame, openEventStream } from './event-stream.ts'
import { listenToSessions } from './sessions-channel.ts'
import type { Sink } from './sink.ts'

/** Follows all sessions: those at work now, then every change that a list would show. Whoever comes back lists anew. */
export function openSessionsStream(house: House): Streamed {
  return { headers: eventStreamHeaders, endsByClosing: true, run: sink => follow(house, sink) }
}

function follow(house: House, sink: Sink): void {
  const listening = listenToSessions(house, json =>
    events.send(`event: session\ndata: {"session":${json}}\n\n`),
  )
  const events = openEventStream(house, sink, {
    kind: 'sessions',
    drained: () => listening.drained(),
    gone: () => listening[Symbol.dispose](),
    farewell() {
      listening[Symbol.dispose]()
      return namedFrame('draining', {})
    },
  })
  listening.start(error => {
    house.log('error', 'Listing the running sessions failed.', { error })
    events.cut()
  })
}
