import type { Json } from '../../protocol/json.ts'
import type { SessionView } from './session-view.ts'

/** The options of the session's agent: from its assignment, or from the creation of the session. */
export async function optionsOf({ host, record }: SessionView): Promise<Json> {
  const { assigned, summary } = record.state
  const { agent } = summary
  if (assigned?.agent === agent) return assigned.options
  const [first] = await host.journal.read(record.session, 0, 1)
  return first?.event.type === 'session-created' && first.event.agent === agent ? first.event.options : null
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
