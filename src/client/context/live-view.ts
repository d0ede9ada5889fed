import type { Entry } from '../../protocol/entry.ts'
import type { Client } from '../create-client.ts'
import { createWritable, type Readable } from '../readable.ts'
import type { SessionState } from '../stores/session-state.ts'
import { createThrottle } from '../stores/throttle.ts'

/** Data of a session from the server; `problem` is the reason if reloading failed. */
export interface LiveView<Value> {
  /** Null until it was read. */
  readonly value: Value | null
  readonly problem: string | null
}

/** A live view, which can be read once more. */
export interface LiveReadable<Value> extends Readable<LiveView<Value>> {
  readonly again: () => void
}

/** What is loaded, and which entries show that it changed. */
export interface LiveSource<Value> {
  readonly read: () => Promise<Value>
  readonly isNews: (entry: Entry) => boolean
}

/**
 * Data of a session from the server, loaded on the first subscription and again when the session's entries show a change.
 * Several changes at once cause one request, and the data never goes back to an older state.
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
    // More may have happened while it was away than the kept events show.
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
