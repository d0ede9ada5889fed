import type { Entry } from '../../protocol/entry.ts'
import type { Client } from '../create-client.ts'
import { createWritable, type Readable } from '../readable.ts'
import type { SessionState } from '../stores/session-state.ts'
import { createThrottle } from '../stores/throttle.ts'

/** Something that the server knows of a session; `problem` says why it could not be read anew. */
export interface LiveView<Value> {
  /** Null until it was read. */
  readonly value: Value | null
  readonly problem: string | null
}

/** A live view, which can be read once more. */
export interface LiveReadable<Value> extends Readable<LiveView<Value>> {
  readonly again: () => void
}

/** What is read, and which entries tell that it has changed. */
export interface LiveSource<Value> {
  readonly read: () => Promise<Value>
  readonly isNews: (entry: Entry) => boolean
}

/**
 * What the server knows of a session, read when somebody subscribes and again when the session's own entries tell of news:
 * several at once are one reading, and what is shown is never older than what was shown before.
 */
export function createLiveView<Value>(
  client: Client,
  session: string,
  { read, isNews }: LiveSource<Value>,
): LiveReadable<Value> {
  const { timing } = client.surroundings
  let stop = () => {}
  let seen = 0
  let isLive = false
  const refresh = async () => {
    try {
      view.set({ value: await read(), problem: null })
    } catch (error) {
      view.set({ ...view.get(), problem: error instanceof Error ? error.message : String(error) })
    }
  }
  const reading = createThrottle(timing.refreshMs, refresh)
  const look = ({ phase, events, seq }: SessionState) => {
    const wasLive = isLive
    isLive = phase === 'live'
    const since = seen
    seen = Math.max(seen, seq)
    const isNew = events.some(entry => entry.seq > since && isNews(entry))
    // What happened while it was away may be more than the events that are kept tell.
    if (isLive && (!wasLive || isNew)) reading.ask()
  }
  const view = createWritable<LiveView<Value>>(
    { value: null, problem: null },
    {
      lingerMs: timing.lingerMs,
      came() {
        stop = client.session(session).state.subscribe(look)
      },
      left() {
        stop()
        reading.stop()
        isLive = false
      },
    },
  )
  return { ...view, again: reading.ask }
}
