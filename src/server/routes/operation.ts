import type { Agent, Readiness } from '../../agents/agent.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { Worker } from '../../sessions/connect.ts'
import type { House } from '../house.ts'
import { openApi } from '../openapi/openapi.ts'
import { jsonReply, reply } from '../responses.ts'
import type { Handlers } from './handler.ts'

/** How the server fares, what it can do, and who may come in. */
export const operation: Handlers<
  'getLiveness' | 'getReadiness' | 'getMetrics' | 'getOpenApi' | 'createTicket' | 'listAgents'
> = {
  getLiveness: async () => ({ status: 'ok' }),
  async getReadiness({ draining }) {
    return draining.aborted ? jsonReply(503, { status: 'draining' }) : { status: 'ready' }
  },
  async getMetrics({ metrics }) {
    return reply(200, 'text/plain; version=0.0.4; charset=utf-8', await metrics.registry.text())
  },
  getOpenApi: async () => jsonReply(200, openApi()),
  async createTicket({ tickets }, _received, { origin }) {
    const { ticket, expiresAt } = tickets.make()
    return { ticket, expiresAt, url: `${origin}/?ticket=${ticket}` }
  },
  async listAgents(house, { query: { session } }) {
    const { agents, options, sessions } = house
    const worker = session === undefined ? null : await sessions.worker(session as SessionId)
    const all = [...agents.values()].map(async agent => {
      const { name, title, capabilities } = agent
      const readiness = await readinessOf(house, agent, worker?.agent === name ? worker : null)
      const { status, version, tested = null, age = null, isLoggedIn = null, lacks, advice } = readiness
      return {
        name,
        title,
        status,
        version,
        tested,
        age,
        isLoggedIn,
        ...(lacks !== undefined && { lacks }),
        advice,
        capabilities: { ...capabilities },
        default: name === options.defaultAgent,
      }
    })
    return { agents: await Promise.all(all) }
  },
}

/** Whether an agent can run here; one that is connected evidently can. */
async function readinessOf({ findAgent }: House, agent: Agent, worker: Worker | null): Promise<Readiness> {
  const found = await findAgent(agent, worker?.options)
  return worker?.isConnected === true ? { ...found, status: 'ready', advice: null } : found
}
