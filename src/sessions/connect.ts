import type { Agent, Connection, ConnectOptions } from '../agents/agent.ts'
import { isDragomanError } from '../protocol/error.ts'
import { checkConnection, reportFault } from './agent-contract.ts'
import type { Raw } from '../protocol/event.ts'
import type { Json } from '../protocol/json.ts'
import type { Beginning } from './handover.ts'
import { effectivenessFor } from './context/effectiveness.ts'
import { createContextSource } from './context/context-source.ts'
import { createHistoryKeeper, type HistoryKeeper } from './context/renew-history.ts'
import type { Heard, Inbox } from './inbox.ts'
import { listen } from './listen.ts'
import type { LiveSession } from './live-session.ts'
import { sentence } from './sentence.ts'

/** The way from an agent to the inbox of its words. */
export interface Link {
  readonly agent: Agent
  readonly beginning: Beginning
  readonly inbox: Inbox<unknown>
  /** Resolves when the agent is no more. */
  readonly gone: Promise<void>
  readonly stop: AbortController
  connection?: Connection
}

/** Connects an agent and listens to it. A failure is heard as its exit. */
export async function connect(live: LiveSession, link: Link): Promise<Connection | undefined> {
  const { agent, beginning, inbox, stop } = link
  const { resume, fork } = beginning
  const { host, line } = live
  const announce = announcer(inbox, beginning)
  const report = (error: unknown) => reportFault(live, error)
  try {
    const options = await optionsOf(live)
    const cwd = await host.checkFolder(line.state.summary.cwd)
    await host.checkpoint('before-connect')
    const keeper = createHistoryKeeper(live, agent, options)
    const trouble = resume === null ? null : await keeper.atBoundary(resume)
    stop.signal.throwIfAborted()
    const given = await agent.connect({
      cwd,
      resume,
      ...(fork !== null && { fork }),
      options,
      dataFolder: host.dataFolder,
      patience: host.limits,
      signal: stop.signal,
      ...(agent.memory === 'journal' && { context: createContextSource(live, () => allSaved(link)) }),
      ...(effectivenessFor(agent) === 'applied' && { renew: renewer(keeper, link) }),
      started: announce,
      record(raw) {
        announce(null)
        return recorded(link, raw)
      },
    })
    const connection = checkConnection(agent, given)
    await host.checkpoint('after-connect')
    announce(connection.process)
    if (trouble !== null) void inbox.put({ type: 'logged', text: `${trouble}\n` })
    link.connection = connection
    live.spawn(() => listen(agent, connection, inbox, host.limits, report))
    return connection
  } catch (error) {
    const told = isDragomanError(error) ? { sentence: error.message } : {}
    report(error)
    inbox.close({ type: 'exited', exit: { code: null, signal: null, reason: sentence(error), ...told } })
    return undefined
  }
}

/** The first thing that is heard is that there is a connection, even if it speaks while it is being made. */
function announcer(inbox: Inbox<unknown>, beginning: Beginning) {
  let announced = false
  return (process: number | null) => {
    if (!announced) void inbox.put({ type: 'connected', process, beginning })
    announced = true
  }
}

/** Resolves when a line of ours is saved, so that it may be sent. */
const recorded = (link: Link, raw: Raw): Promise<void> =>
  whenSaved(link, saved => ({ type: 'said', from: 'host', raw, saved }))

/** Resolves when all that was heard up to now is saved. */
const allSaved = (link: Link): Promise<void> => whenSaved(link, saved => ({ type: 'asked-for-all', saved }))

async function whenSaved({ inbox, gone }: Link, heard: (saved: () => void) => Heard): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  void inbox.put(heard(resolve))
  const tooLate = gone.then(() => {
    throw new Error('The agent has exited.')
  })
  await Promise.race([promise, tooLate])
}

/** Brings an agent's own history up to date before a request. The same trouble is told once. */
function renewer(keeper: HistoryKeeper, link: Link): NonNullable<ConnectOptions['renew']> {
  let told: string | null = null
  return async (agentSession, calls) => {
    const trouble = await keeper.beforeRequest(agentSession, calls, () => allSaved(link))
    if (trouble !== null && trouble !== told) void link.inbox.put({ type: 'logged', text: `${trouble}\n` })
    told = trouble
  }
}

/** What the session's agent is started with: given with the agent, or when the session was created for it. */
export async function optionsOf({ host, line }: LiveSession): Promise<Json> {
  const { assigned, summary } = line.state
  const { agent } = summary
  if (assigned?.agent === agent) return assigned.options
  const [first] = await host.journal.read(line.session, 0, 1)
  return first?.event.type === 'session-created' && first.event.agent === agent ? first.event.options : null
}

/** Who works in a session: an agent, the options that the session gives it, and whether it is connected. */
export interface Worker {
  readonly agent: string
  readonly options: Json
  readonly isConnected: boolean
}

/** Tells who works in a session. */
export const workerOf = async (live: LiveSession): Promise<Worker> => ({
  agent: live.line.state.summary.agent,
  options: await optionsOf(live),
  isConnected: live.agent !== null,
})
