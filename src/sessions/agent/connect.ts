import type { Agent, Connection, ConnectOptions, ContextSource } from '../../agents/agent.ts'
import { errorMessage, isDragomanError } from '../../protocol/error.ts'
import { checkConnection, reportFault } from '../translation/agent-contract.ts'
import type { Raw } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import type { Beginning } from './beginning.ts'
import { effectivenessFor } from '../context/effectiveness.ts'
import type { HistoryKeeper } from '../context/renew-history.ts'
import { readConnection, type AgentOutput, type ConnectionItem } from './read-connection.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import { optionsOf } from '../view/session-agent.ts'

/** An agent, its connection, and the output that its lines go to. */
export interface Link {
  readonly agent: Agent
  readonly beginning: Beginning
  readonly output: AgentOutput<unknown>
  /** Resolves when the agent has exited and its output is saved. */
  readonly gone: Promise<void>
  readonly stop: AbortController
  connection?: Connection
}

/** Connects an agent and reads its output. A failure to connect is reported as its exit. */
export async function connect(owned: OwnedSession, link: Link): Promise<Connection | undefined> {
  const { agent, beginning, output, stop } = link
  const { resume, fork } = beginning
  const { host, writer } = owned
  const announce = announcer(output, beginning)
  const report = (error: unknown) => reportFault(owned, error)
  try {
    const options = await optionsOf(owned)
    const cwd = await host.checkFolder(writer.state.summary.cwd)
    await host.checkpoint?.('before-connect')
    const keeper = await historyKeeperFor(owned, agent, options)
    const trouble = resume === null ? null : ((await keeper?.atBoundary(resume)) ?? null)
    const context = await contextFor(owned, link)
    stop.signal.throwIfAborted()
    const given = await agent.connect({
      cwd,
      resume,
      ...(fork !== null && { fork }),
      options,
      dataFolder: host.dataFolder,
      patience: host.limits,
      signal: stop.signal,
      ...(context !== null && { context }),
      ...(keeper !== null && effectivenessFor(agent) === 'applied' && { renew: renewer(keeper, link) }),
      started: announce,
      record(raw) {
        announce(null)
        return recorded(link, raw)
      },
    })
    const connection = checkConnection(agent, given)
    await host.checkpoint?.('after-connect')
    announce(connection.process)
    if (trouble !== null) void output.put({ type: 'logged', text: `${trouble}\n` })
    link.connection = connection
    owned.spawn(() => readConnection(agent, connection, output, host.limits, report))
    return connection
  } catch (error) {
    const explained = isDragomanError(error) ? { sentence: error.message } : {}
    report(error)
    output.close({
      type: 'exited',
      exit: { code: null, signal: null, reason: errorMessage(error), ...explained },
    })
    return undefined
  }
}

/** Updates the agent's own history. Null for an agent whose history cannot be changed; the code for it is then not loaded. */
async function historyKeeperFor(
  owned: OwnedSession,
  agent: Agent,
  options: Json,
): Promise<HistoryKeeper | null> {
  if (agent.ownHistory === undefined && effectivenessFor(agent) !== 'applied') return null
  const { createHistoryKeeper } = await import('../context/renew-history.ts')
  return createHistoryKeeper(owned, agent, options)
}

/** The session's history, for an agent without a memory. */
async function contextFor(owned: OwnedSession, link: Link): Promise<ContextSource | null> {
  if (link.agent.memory !== 'journal') return null
  const { createContextSource } = await import('../context/context-source.ts')
  return createContextSource(owned, () => allSaved(link))
}

/** Puts the connection first, even if the agent writes lines while it is connecting. */
function announcer(output: AgentOutput<unknown>, beginning: Beginning) {
  let announced = false
  return (process: number | null) => {
    if (!announced) void output.put({ type: 'connected', process, beginning })
    announced = true
  }
}

/** Resolves when a line of ours is saved, so that it may be sent. */
const recorded = (link: Link, raw: Raw): Promise<void> =>
  whenSaved(link, saved => ({ type: 'line', from: 'host', raw, saved }))

/** Resolves when all output up to now is saved. */
const allSaved = (link: Link): Promise<void> => whenSaved(link, saved => ({ type: 'flush', saved }))

async function whenSaved(
  { output, gone }: Link,
  itemFor: (saved: () => void) => ConnectionItem,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  void output.put(itemFor(resolve))
  const tooLate = gone.then(() => {
    throw new Error('The agent has exited.')
  })
  await Promise.race([promise, tooLate])
}

/** Updates an agent's own history before a request. The same trouble is logged once. */
function renewer(keeper: HistoryKeeper, link: Link): NonNullable<ConnectOptions['renew']> {
  let logged: string | null = null
  return async (agentSession, calls) => {
    const trouble = await keeper.beforeRequest(agentSession, calls, () => allSaved(link))
    if (trouble !== null && trouble !== logged) void link.output.put({ type: 'logged', text: `${trouble}\n` })
    logged = trouble
  }
}
