import type { WorkLogEntry } from '../../projections/work-log/work-log-entry.ts'
import type { Client } from '../create-client.ts'
import { combine, createWritable, select, type Readable } from '../readable.ts'
import { createLiveWorkLog } from './live-work-log.ts'

const newest = { limit: '500' }

/**
 * The work log of a session, live: a line for each tool call in the order in which they began, from the newest 500 on.
 * What happens now is told here, from the session itself; what was before, the server tells when somebody subscribes.
 */
export function followWorkLog(client: Client, session: string): Readable<readonly WorkLogEntry[]> {
  const { state } = client.session(session)
  const isLive = select(state, ({ phase }) => phase === 'live')
  let leave = () => {}
  const saved = createWritable<readonly WorkLogEntry[]>([], {
    came() {
      let reading = new AbortController()
      const stop = isLive.subscribe(now => {
        reading.abort()
        reading = new AbortController()
        if (now) read(reading.signal)
      })
      leave = () => {
        stop()
        reading.abort()
      }
    },
    left: () => leave(),
    lingerMs: 0,
  })
  const read = (signal: AbortSignal) => {
    client.call('listWorkLog', { params: { session }, query: newest }, { signal }).then(
      ({ entries }) => {
        if (!signal.aborted) saved.set(entries as readonly WorkLogEntry[])
      },
      // Without it there is what is seen here; it is asked for again when the session is live again.
      () => {},
    )
  }
  return combine(state, saved, createLiveWorkLog())
}
