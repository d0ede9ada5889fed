import { createCaller } from '../../client/call.ts'
import type { Replied } from '../../protocol/api/api.ts'
import { findServer } from '../sessions-api/find-server.ts'
import type { Check } from './check.ts'

/** A server may wait for agents' programs that hang. */
const answerMs = 15_000

/** The check of a data folder's server, and the agents that it can run. */
export interface ServerChecks {
  readonly checks: readonly Check[]
  readonly agents: Replied<'listAgents'>['agents'] | null
}

/** Asks the server of the data folder, if there is one, because it may find other agents. */
export async function checkServer(folder: string): Promise<ServerChecks> {
  try {
    const place = findServer(folder)
    if (place === null) return { checks: [], agents: null }
    const caller = createCaller({ ...place, fetch: globalThis.fetch, timeoutMs: answerMs })
    const { agents } = await caller.call('listAgents')
    return { checks: [{ name: 'server', status: 'ok', detail: `running at ${place.url}` }], agents }
  } catch (error) {
    const detail = (error as Error).message
    return { checks: [{ name: 'server', status: 'fail', detail, advice: 'Restart it.' }], agents: null }
  }
}
