import type { WorkLogEntry } from '../../projections/work-log/work-log-entry.ts'
import type { Client } from '../create-client.ts'
import { derive, createWritable, select, type Readable } from '../readable.ts'
import { createLiveWorkLog } from './live-work-log.ts'

const newest = { limit: '500' }

/** What the server has of a work log. */
interface Saved {
  /** Null until it was read. */
  readonly entries: readonly WorkLogEntry[] | null
  /** Why it could not be read, in a sentence. */
  readonly problem: string | null
}

/** A followed work log, and the state of loading its earlier entries. */
export interface FollowedWorkLog extends Readable<readonly WorkLogEntry[]> {
  /** Whether earlier entries are still loading. */
  readonly loading: Readable<boolean>
  readonly problem: Readable<string | null>
  /** Loads the earlier entries again. */
  readonly again: () => void
}

/**
 * The work log of a session, live: one line per tool call in order of their start, from the newest 500 on.
 * New calls come from the session's entries; earlier ones are loaded from the server on the first subscription.
 */
export function followWorkLog(client: Client, session: string): FollowedWorkLog {
  const { state } = client.session(session)
  const isLive = select(state, ({ phase }) => phase === 'live')
  let reading = new AbortController()
  let leave = () => {}
  const saved = createWritable<Saved>(
    { entries: null, problem: null },
    {
      came: () => void (leave = isLive.subscribe(now => (now ? read() : reading.abort()))),
      left() {
        leave()
        reading.abort()
      },
      lingerMs: 0,
    },
  )
  const read = () => {
    reading.abort()
    const { signal } = (reading = new AbortController())
    client
      .call('GET /api/sessions/:session/work-log', { params: { session }, query: newest }, { signal })
      .then(
        ({ entries }) => {
          if (!signal.aborted) saved.set({ entries: entries as readonly WorkLogEntry[], problem: null })
        },
        // Without it there is what is seen here; it is asked for again when the session is live again.
        ({ message: problem }: Error) => {
          if (!signal.aborted) saved.set({ ...saved.get(), problem })
        },
      )
  }
  const live = createLiveWorkLog()
  return {
    ...derive([state, saved], (now, { entries }) => live(now, entries ?? none)),
    loading: select(saved, ({ entries }) => entries === null),
    problem: select(saved, ({ problem }) => problem),
    again: read,
  }
}

const none: readonly WorkLogEntry[] = []
