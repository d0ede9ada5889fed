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
  async listAgents({ agents, findAgent, options }) {
    const all = [...agents.values()].map(async agent => {
      const { name, title, capabilities } = agent
      const { tested = null, age = null, isLoggedIn = null, ...rest } = await findAgent(agent)
      const facts = {
        status: rest.status,
        version: rest.version,
        tested,
        age,
        isLoggedIn,
        advice: rest.advice,
      }
      return {
        name,
        title,
        ...facts,
        capabilities: { ...capabilities },
        default: name === options.defaultAgent,
      }
    })
    return { agents: await Promise.all(all) }
  },
}
