import type { Entry } from '../../protocol/entry.ts'
import { isDragomanError } from '../../protocol/error.ts'
import type { Caller } from '../call.ts'
import type { ServerEvent } from '../../protocol/server-sent-events.ts'
import { readEvents } from './read-events.ts'
import type { Frame, ListedSession, OpenSource, SourceEvents } from './source.ts'

/** Follows sessions over server-sent events, one response for each; when one is cut, all are opened again. */
export const sseSource =
  (caller: Caller, silenceMs: number): OpenSource =>
  events => {
    const streams = new Map<string, AbortController>()
    const unfollow = (session: string) => {
      streams.get(session)?.abort()
      streams.delete(session)
    }
    const follow = (session: string, after: number) => {
      unfollow(session)
      const stop = new AbortController()
      streams.set(session, stop)
      const over = (reason: unknown) => {
        if (stop.signal.aborted) return
        if (isDragomanError(reason, 'unknown-session'))
          events.frame({ type: 'gone', session, reason: reason.message })
        else events.closed(reason)
      }
      openStream(caller, session, after, stop.signal)
        .then(response => readStream(response, session, events, silenceMs))
        .then(over, over)
    }
    return {
      follow,
      unfollow,
      watchSessions: isWanted => (isWanted ? follow(all, 0) : unfollow(all)),
      ping() {},
      close: () => streams.forEach(stop => stop.abort()),
    }
  }

/** No session has this name. */
const all = ''

function openStream(caller: Caller, session: string, after: number, signal: AbortSignal): Promise<Response> {
  const options = { headers: { accept: 'text/event-stream' }, signal }
  return session === all
    ? caller.request('watchSessions', undefined, options)
    : caller.request('listEntries', { params: { session }, query: { after: String(after) } }, options)
}

async function readStream(
  response: Response,
  session: string,
  events: SourceEvents,
  silenceMs: number,
): Promise<Error> {
  events.opened()
  if (session !== all) events.frame({ type: 'following', session })
  for await (const batch of readEvents(response, silenceMs)) {
    events.alive()
    for (const frame of framesOf(session, batch)) events.frame(frame)
  }
  return new Error('The stream ended.')
}

/** The frames of what came together; entries that follow each other are one frame. */
function* framesOf(session: string, batch: readonly ServerEvent[]): Generator<Frame> {
  let entries: Entry[] = []
  for (const { event, data } of batch) {
    if (data === undefined) continue
    const value: unknown = JSON.parse(data)
    if (event === undefined) {
      entries.push(value as Entry)
      continue
    }
    if (entries.length > 0) yield { type: 'entries', session, entries }
    entries = []
    // The frames of a WebSocket are the same, but that they name their session.
    yield { session, ...(value as { readonly session?: ListedSession }), type: event } as Frame
  }
  if (entries.length > 0) yield { type: 'entries', session, entries }
}
