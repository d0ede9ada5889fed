import type { Journal } from '../../journal/journal.ts'
import type { EventOf } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import type { SessionView } from './session-view.ts'

/** The options of the session's agent: from its assignment, or from the creation of the session. */
export async function optionsOf({ host, record }: SessionView): Promise<Json> {
  const { assigned, summary } = record.state
  const { agent } = summary
  if (assigned?.agent === agent) return assigned.options
  const first = await creationOf(host.journal, record)
  return first?.agent === agent ? first.options : null
}

type Creation = EventOf<'session-created'>
const creations = new WeakMap<object, Promise<Creation | null>>()

/** The first event of a session, read once: it never changes. */
function creationOf(journal: Journal, record: SessionView['record']): Promise<Creation | null> {
  const known = creations.get(record)
  if (known !== undefined) return known
  const reading = journal
    .read(record.session, 0, 1)
    .then(([first]) => (first?.event.type === 'session-created' ? first.event : null))
  creations.set(record, reading)
  // After a failure, the next caller tries again.
  reading.catch(() => creations.delete(record))
  return reading
}

/** The agent of a session, its options, and whether it is connected. */
export interface SessionAgent {
  readonly agent: string
  readonly options: Json
  readonly isConnected: boolean
}

/** Reads the agent of a session. */
export const readSessionAgent = async (view: SessionView): Promise<SessionAgent> => ({
  agent: view.record.state.summary.agent,
  options: await optionsOf(view),
  isConnected: view.isConnected,
})
