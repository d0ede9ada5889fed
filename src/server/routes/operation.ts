import type { Agent, Readiness } from '../../agents/agent.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { Worker } from '../../sessions/view/worker.ts'
import type { House } from '../house.ts'
import { openApi } from '../openapi/openapi.ts'
import { endingError } from '../refuse-when-draining.ts'
import { jsonReply, problemReply, reply } from '../responses.ts'
import type { Handlers } from './handler.ts'

/** Health, metrics, agents and sign-in. */
export const operation: Handlers<
  'getLiveness' | 'getReadiness' | 'getMetrics' | 'getOpenApi' | 'createTicket' | 'signOut' | 'listAgents'
> = {
  getLiveness: async () => ({ status: 'ok' }),
  async getReadiness({ draining, health }) {
    const failure = health()
    if (failure !== null) return problemReply(unready(failure), 503)
    return draining.aborted ? problemReply(endingError()) : { status: 'ready' }
  },
  async getMetrics({ metrics }) {
    return reply(200, 'text/plain; version=0.0.4; charset=utf-8', await metrics.registry.text())
  },
  getOpenApi: async () => jsonReply(200, openApi()),
  async createTicket({ tickets }, _received, { origin }) {
    const { ticket, expiresAt } = tickets.make()
    return { ticket, expiresAt, url: `${origin}/?ticket=${ticket}` }
  },
  async signOut({ signIns, tickets, streams, log }) {
    signIns.end()
    tickets.clear()
    streams.endAll()
    log('info', 'Every browser was signed out.')
    return { signedOut: 'every browser' }
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

/** Readiness has few codes, so that a probe can act on each of them; the sentence has the details. */
function unready(failure: DragomanError): DragomanError {
  const { code, message } = failure
  if (code === 'disk-full' || code === 'data-folder-gone' || code === 'writer-dead') return failure
  return new DragomanError('journal-unreachable', message, { cause: failure })
}
