import type { Connection } from '../../agents/agent.ts'
import type { QueuedPrompt } from '../../projections/queue.ts'
import { errorMessage } from '../../protocol/error.ts'
import type { PromptPart } from '../../protocol/message.ts'
import { reportFault } from '../translation/agent-contract.ts'
import { eventsClosingInteraction } from '../own/close-connections.ts'
import { closedFor, closedForReplacing, stoppedByPerson, stoppedWithServer, type Ending } from './ending.ts'
import { handoverOf } from './handover.ts'
import { nextPrompt, started, type Job } from './job.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { RunningAgent } from './running-agent.ts'
import { findRoute } from './find-route.ts'
import { startAgent } from './start-agent.ts'

/**
 * Gives a started interaction to an agent: to the running one, or to a new one as soon as there is a slot for it.
 * `agent-pipeline.ts` then saves the agent's output until the interaction ends.
 * When an agent has lost its own session, a new one gets the prompt with the conversation.
 */
export async function runInteraction(owned: OwnedSession, job: Job, lost?: string): Promise<void> {
  const starting = new AbortController()
  const signal = AbortSignal.any([starting.signal, owned.host.stopping])
  owned.starting = starting
  // A person may have stopped the interaction before an agent was started.
  if (owned.interrupted === job.interaction) starting.abort()
  try {
    // A running agent must not work in a folder that has replaced its own.
    await owned.host.checkFolder(owned.writer.state.summary.cwd)
    const running = await agentFor(owned, job, signal, lost)
    signal.throwIfAborted()
    running.serving = job.interaction
    running.startOver = restartFor(owned, running, job)
    running.slot.work()
    await sendPrompt(owned, running, job)
  } catch (error) {
    await owned.writer.appendUntilSaved(state =>
      eventsClosingInteraction(state, job.interaction, endingOf(owned, job, error)),
    )
    owned.proceed()
  } finally {
    if (owned.starting === starting) owned.starting = null
  }
}

/** What to do with an interaction when its agent has lost its own session. */
function restartFor(owned: OwnedSession, { beginning }: RunningAgent, job: Job): RunningAgent['startOver'] {
  const lost = beginning.resume ?? beginning.fork?.agentSession
  return lost === undefined ? null : () => runInteraction(owned, job, lost)
}

/** Starts the next queued prompt, if there is one and nothing runs. */
export async function startNext(owned: OwnedSession): Promise<void> {
  let job: Job | undefined
  await owned.writer.appendUntilSaved(state => {
    const next = state.summary.running === null ? nextPrompt(state, owned.held) : undefined
    job = next && jobOf(owned, next)
    return job === undefined ? [] : [started(job, state.summary.agent)]
  })
  if (job !== undefined) await runInteraction(owned, job)
}

/** The agent that a prompt was queued for may no longer exist; the session's agent then gets it. */
function jobOf(owned: OwnedSession, { prompt, parts }: QueuedPrompt): Job {
  const job: Job = { interaction: owned.host.newId(), prompt, parts }
  try {
    return { ...job, route: findRoute(owned, parts) }
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
  // It cannot be made to forget the messages that are replaced.
  if (parent !== undefined) owned.agent?.end(closedForReplacing)
  const { agent } = owned.writer.state.summary
  if (owned.agent !== null && owned.agent.agent.name !== agent) owned.agent.end(closedFor(agent))
  // Two processes of one agent would conflict over its session, so the old one must exit first.
  while (owned.agent !== null && isLeaving(owned.agent)) await owned.agent.gone
  return owned.agent ?? startAgent(owned, signal, lost)
}

const isLeaving = ({ ending, output }: RunningAgent) => ending !== null || output.closed

async function sendPrompt(owned: OwnedSession, running: RunningAgent, job: Job): Promise<void> {
  const connection = await running.connected
  await owned.host.checkpoint?.('before-prompt')
  try {
    if (connection !== undefined)
      await connection.prompt(job.prompt, await partsFor(owned, running, connection, job))
  } catch (error) {
    reportFault(owned, error)
    const reason = `The agent did not accept the prompt: ${errorMessage(error)}`
    running.end({ outcome: 'failed', reason, isRefusal: true })
  }
  await owned.host.checkpoint?.('after-prompt')
}

/** Puts the handover before the first prompt of an agent. It is saved before it is sent. */
async function partsFor(
  owned: OwnedSession,
  running: RunningAgent,
  connection: Connection,
  { interaction, parts: all, route }: Job,
): Promise<readonly PromptPart[]> {
  const parts = route?.given ?? all
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
  return { outcome: 'failed', reason: errorMessage(error) }
}
