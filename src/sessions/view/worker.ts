import type { Json } from '../../protocol/json.ts'
import type { SessionView } from './session-view.ts'

/** What the session's agent is started with: given with the agent, or when the session was created for it. */
export async function optionsOf({ host, record }: SessionView): Promise<Json> {
  const { assigned, summary } = record.state
  const { agent } = summary
  if (assigned?.agent === agent) return assigned.options
  const [first] = await host.journal.read(record.session, 0, 1)
  return first?.event.type === 'session-created' && first.event.agent === agent ? first.event.options : null
}

/** Who works in a session: an agent, the options that the session gives it, and whether it is connected. */
export interface Worker {
  readonly agent: string
  readonly options: Json
  readonly isConnected: boolean
}

/** Finds who works in a session. */
export const workerOf = async (view: SessionView): Promise<Worker> => ({
  agent: view.record.state.summary.agent,
  options: await optionsOf(view),
  isConnected: view.isConnected,
})
