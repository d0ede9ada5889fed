import type { Connection } from '../agents/agent.ts'
import type { QueuedPrompt } from '../projections/queue.ts'
import type { PromptPart } from '../protocol/message.ts'
import { reportFault } from './agent-contract.ts'
import { closeInteraction } from './close-connections.ts'
import { closedFor, closedForReplacing, stoppedByPerson, stoppedWithServer, type Ending } from './ending.ts'
import { handoverOf } from './handover.ts'
import { nextPrompt, started, type Job } from './job.ts'
import type { LiveSession } from './live-session.ts'
import type { RunningAgent } from './running-agent.ts'
import { routeOf } from './route.ts'
import { sentence } from './sentence.ts'
import { startAgent } from './start-agent.ts'

/**
 * Gives an interaction that has begun to an agent: to the one that is there, or to a new one as soon as there is
 * a place for it. What the agent then says takes the straight path of `hear-agent.ts`, to the interaction's end.
 * When an agent turned out to have lost its own session, a new one gets the prompt with the conversation.
 */
export async function runInteraction(live: LiveSession, job: Job, lost?: string): Promise<void> {
  const starting = new AbortController()
  const signal = AbortSignal.any([starting.signal, live.host.stopping])
  live.starting = starting
  // Someone may have stopped it before there was anything to stop.
  if (live.interrupted === job.interaction) starting.abort()
  try {
    // An agent that is there already must not work in a folder that was put in the place of its own.
    await live.host.checkFolder(live.line.state.summary.cwd)
    const running = await agentFor(live, job, signal, lost)
    signal.throwIfAborted()
    running.serving = job.interaction
    running.startOver = startOver(live, running, job)
    running.place.work()
    await handOver(live, running, job)
  } catch (error) {
    await live.keep(state => closeInteraction(state, job.interaction, endingOf(live, job, error)))
    live.proceed()
  } finally {
    if (live.starting === starting) live.starting = null
  }
}

/** What to do with an interaction when its agent turns out to have lost its own session. */
function startOver(live: LiveSession, { beginning }: RunningAgent, job: Job): RunningAgent['startOver'] {
  const lost = beginning.resume ?? beginning.fork?.agentSession
  return lost === undefined ? null : () => runInteraction(live, job, lost)
}

/** Begins the next queued prompt, when there is one and nothing runs. */
export async function startNext(live: LiveSession): Promise<void> {
  let job: Job | undefined
  await live.keep(state => {
    const next = state.summary.running === null ? nextPrompt(state, live.held) : undefined
    job = next && jobOf(live, next)
    return job === undefined ? [] : [started(job, state.summary.agent)]
  })
  if (job !== undefined) await runInteraction(live, job)
}

/** The agent that a prompt went to when it was queued may be gone; the session's own then takes it. */
function jobOf(live: LiveSession, { prompt, parts }: QueuedPrompt): Job {
  const job: Job = { interaction: live.host.newId(), prompt, parts }
  try {
    return { ...job, route: routeOf(live, parts) }
  } catch {
    return job
  }
}

async function agentFor(
  live: LiveSession,
  { parent }: Job,
  signal: AbortSignal,
  lost?: string,
): Promise<RunningAgent> {
  // What it knows of the conversation cannot be taken from it.
  if (parent !== undefined) live.agent?.end(closedForReplacing)
  const { agent } = live.line.state.summary
  if (live.agent !== null && live.agent.agent.name !== agent) live.agent.end(closedFor(agent))
  // Two processes of one agent would fight over its session, so the one that leaves is seen off first.
  while (live.agent !== null && isLeaving(live.agent)) await live.agent.gone
  return live.agent ?? startAgent(live, signal, lost)
}

const isLeaving = ({ ending, inbox }: RunningAgent) => ending !== null || inbox.closed

async function handOver(live: LiveSession, running: RunningAgent, job: Job): Promise<void> {
  const connection = await running.connected
  await live.host.checkpoint('before-prompt')
  try {
    if (connection !== undefined)
      await connection.prompt(job.prompt, await partsFor(live, running, connection, job))
  } catch (error) {
    reportFault(live, error)
    const reason = `The agent did not accept the prompt: ${sentence(error)}`
    running.end({ outcome: 'failed', reason, isRefusal: true })
  }
  await live.host.checkpoint('after-prompt')
}

/** The first prompt of an agent comes after what it must know; the journal tells of that before it is sent. */
async function partsFor(
  live: LiveSession,
  running: RunningAgent,
  connection: Connection,
  { interaction, parts: said, route }: Job,
): Promise<readonly PromptPart[]> {
  const parts = route?.given ?? said
  if (running.briefed) return parts
  running.briefed = true
  const handover = await handoverOf(live, running.agent, running.beginning, connection)
  if (handover === null) return parts
  void running.inbox.put({ type: 'handed-over', interaction, handover })
  const { transcript } = handover
  return transcript === null ? parts : [{ type: 'text', text: transcript.text }, ...parts]
}

function endingOf(live: LiveSession, { interaction }: Job, error: unknown): Ending {
  if (live.interrupted === interaction) return stoppedByPerson
  if (live.host.stopping.aborted) return stoppedWithServer
  return { outcome: 'failed', reason: sentence(error) }
}
