import type { Client, Readable, Session } from 'dragoman/client'
import { createWritable } from 'dragoman/client/readable'

/** How long calls took in milliseconds, by call. */
type SavedTimes = ReadonlyMap<string, number>

const known = new WeakMap<Session, Readable<SavedTimes>>()
/** First the conversation, then what only adorns it. */
const patience = 500
const newest = { limit: '100' }

/** How long the newest calls of a session took, as the server knows it: asked once, when somebody looks. */
export function savedTimes(client: Client, session: Session): Readable<SavedTimes> {
  const before = known.get(session)
  if (before !== undefined) return before
  const times = createWritable<SavedTimes>(new Map())
  known.set(session, times)
  const forget = () => known.delete(session)
  const ask = () => {
    // Whoever deleted it meanwhile, or left, wants to know nothing of it.
    if (/^(gone|closed)$/.test(session.state.get().phase)) return forget()
    return client.call('listWorkLog', { params: { session: session.id }, query: newest }).then(
      ({ entries }) =>
        times.set(
          new Map(
            entries.flatMap(({ toolCallId, duration }) =>
              duration === null ? [] : [[toolCallId, duration]],
            ),
          ),
        ),
      // Without an answer the cards do without; the next look asks again.
      forget,
    )
  }
  setTimeout(() => void ask(), patience)
  return times
}
