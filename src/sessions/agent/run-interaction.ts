import type { Connection } from '../../agents/agent.ts'
import type { QueuedPrompt } from '../../projections/queue.ts'
import type { PromptPart } from '../../protocol/message.ts'
import { reportFault } from '../translation/agent-contract.ts'
import { closeInteraction } from '../own/close-connections.ts'
import { closedFor, closedForReplacing, stoppedByPerson, stoppedWithServer, type Ending } from './ending.ts'
import { handoverOf } from './handover.ts'
import { nextPrompt, started, type Job } from './job.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { RunningAgent } from './running-agent.ts'
import { routeOf } from './route.ts'
import { sentence } from '../sentence.ts'
import { startAgent } from './start-agent.ts'

/**
 * Gives an interaction that has begun to an agent: to the one that is there, or to a new one as soon as there is
 * a place for it. What the agent then says takes the straight path of `hear-agent.ts`, to the interaction's end.
 * When an agent turned out to have lost its own session, a new one gets the prompt with the conversation.
 */
export async function runInteraction(owned: OwnedSession, job: Job, lost?: string): Promise<void> {
  const starting = new AbortController()
  const signal = AbortSignal.any([starting.signal, owned.host.stopping])
  owned.starting = starting
  // Someone may have stopped it before there was anything to stop.
  if (owned.interrupted === job.interaction) starting.abort()
  try {
    // An agent that is there already must not work in a folder that was put in the place of its own.
    await owned.host.checkFolder(owned.record.state.summary.cwd)
    const running = await agentFor(owned, job, signal, lost)
    signal.throwIfAborted()
    running.serving = job.interaction
    running.startOver = startOver(owned, running, job)
    running.slot.work()
    await handOver(owned, running, job)
  } catch (error) {
    await owned.appendUntilSaved(state =>
      closeInteraction(state, job.interaction, endingOf(owned, job, error)),
    )
    owned.proceed()
  } finally {
    if (owned.starting === starting) owned.starting = null
  }
}

/** What to do with an interaction when its agent turns out to have lost its own session. */
function startOver(owned: OwnedSession, { beginning }: RunningAgent, job: Job): RunningAgent['startOver'] {
  const lost = beginning.resume ?? beginning.fork?.agentSession
  return lost === undefined ? null : () => runInteraction(owned, job, lost)
}

/** Begins the next queued prompt, when there is one and nothing runs. */
export async function startNext(owned: OwnedSession): Promise<void> {
  let job: Job | undefined
  await owned.appendUntilSaved(state => {
    const next = state.summary.running === null ? nextPrompt(state, owned.held) : undefined
    job = next && jobOf(owned, next)
    return job === undefined ? [] : [started(job, state.summary.agent)]
  })
  if (job !== undefined) await runInteraction(owned, job)
}

/** The agent that a prompt went to when it was queued may be gone; the session's own then takes it. */
function jobOf(owned: OwnedSession, { prompt, parts }: QueuedPrompt): Job {
  const job: Job = { interaction: owned.host.newId(), prompt, parts }
  try {
    return { ...job, route: routeOf(owned, parts) }
  } catch {
    return job
  }
}

async function agentFor(
  owned: OwnedSession,
  { parent }: Job,
  signal: AbortSignal,
  lost?: string,
): Promise<RunningAgent> {
  // What it knows of the conversation cannot be taken from it.
  if (parent !== undefined) owned.agent?.end(closedForReplacing)
  const { agent } = owned.record.state.summary
  if (owned.agent !== null && owned.agent.agent.name !== agent) owned.agent.end(closedFor(agent))
  // Two processes of one agent would fight over its session, so the one that leaves is seen off first.
  while (owned.agent !== null && isLeaving(owned.agent)) await owned.agent.gone
  return owned.agent ?? startAgent(owned, signal, lost)
}

const isLeaving = ({ ending, output }: RunningAgent) => ending !== null || output.closed

async function handOver(owned: OwnedSession, running: RunningAgent, job: Job): Promise<void> {
  const connection = await running.connected
  await owned.host.checkpoint('before-prompt')
  try {
    if (connection !== undefined)
      await connection.prompt(job.prompt, await partsFor(owned, running, connection, job))
  } catch (error) {
    reportFault(owned, error)
    const reason = `The agent did not accept the prompt: ${sentence(error)}`
    running.end({ outcome: 'failed', reason, isRefusal: true })
  }
  await owned.host.checkpoint('after-prompt')
}

/** The first prompt of an agent comes after what it must know; the journal tells of that before it is sent. */
async function partsFor(
  owned: OwnedSession,
  running: RunningAgent,
  connection: Connection,
  { interaction, parts: said, route }: Job,
): Promise<readonly PromptPart[]> {
  const parts = route?.given ?? said
  if (running.briefed) return parts
  running.briefed = true
  const handover = await handoverOf(owned, running.agent, running.beginning, connection)
  if (handover === null) return parts
  void running.output.put({ type: 'handed-over', interaction, handover })
  const { transcript } = handover
  return transcript === null ? parts : [{ type: 'text', text: transcript.text }, ...parts]
}

function endingOf(owned: OwnedSession, { interaction }: Job, error: unknown): Ending {
  if (owned.interrupted === interaction) return stoppedByPerson
  if (owned.host.stopping.aborted) return stoppedWithServer
  return { outcome: 'failed', reason: sentence(error) }
}
