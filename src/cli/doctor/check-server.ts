import { createCaller } from '../../client/call.ts'
import type { Replied } from '../../protocol/api/api.ts'
import { findServer } from '../desk/find-server.ts'
import type { Check } from './check.ts'

/** It may have to look for programs that hang. */
const answerMs = 15_000

/** What was found out about the server of a data folder; the agents are those that it can run. */
export interface ServerChecks {
  readonly checks: readonly Check[]
  readonly agents: Replied<'listAgents'>['agents'] | null
}

/** Asks the server that has the data folder, if there is one: it may see other agents than we do. */
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
