import type { Agent, Readiness } from '../../agents/agent.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { SessionAgent } from '../../sessions/view/session-agent.ts'
import type { ServerParts } from '../server-parts.ts'
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
  async listAgents(server, { query: { session } }) {
    const { agents, options, sessions } = server
    const defaultAgent = await options.defaultAgent()
    const current = session === undefined ? null : await sessions.agentOf(session as SessionId)
    const all = [...agents.values()].map(async agent => {
      const { name, title, capabilities, options: declared = null } = (await agent.load?.()) ?? agent
      const readiness = await readinessOf(server, agent, current?.agent === name ? current : null)
      const { status, version, tested = null, age = null, isLoggedIn = null, lacks, advice } = readiness
      return {
        name,
        title,
        kind: kindOf(agent),
        status,
        version,
        tested,
        age,
        isLoggedIn,
        ...(lacks !== undefined && { lacks }),
        advice,
        capabilities: { ...capabilities },
        options: declared,
        default: name === defaultAgent,
      }
    })
    return { agents: await Promise.all(all) }
  },
}

/** An agent whose memory is the journal calls the API of a model. */
const kindOf = ({ isDemo, memory }: Agent): 'agent' | 'model' | 'demo' =>
  isDemo === true ? 'demo' : memory === 'journal' ? 'model' : 'agent'

/** Whether an agent can run here. A connected agent can. */
async function readinessOf(
  { findAgent }: ServerParts,
  agent: Agent,
  current: SessionAgent | null,
): Promise<Readiness> {
  const found = await findAgent(agent, current?.options)
  return current?.isConnected === true ? { ...found, status: 'ready', advice: null } : found
}

/** Readiness uses few codes, so that a probe can act on each. The message has the details. */
function unready(failure: DragomanError): DragomanError {
  const { code, message } = failure
  if (code === 'disk-full' || code === 'data-folder-gone' || code === 'writer-dead') return failure
  return new DragomanError('journal-unreachable', message, { cause: failure })
}
