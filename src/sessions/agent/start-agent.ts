import { noInteractions } from './assign-interaction.ts'
import { stoppedWithServer } from './ending.ts'
import { connect, type Link } from './connect.ts'
import type { Beginning } from './beginning.ts'
import { chooseBeginning } from './handover.ts'
import { createItemTranslator, saveAgentOutput } from './agent-pipeline.ts'
import { createAgentOutput } from './read-connection.ts'
import { beginTranslation, type TranslationState } from '../translation/translate-line.ts'
import { agentNamed } from '../find-agent.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { RunningAgent } from './running-agent.ts'
import { continuationOf, openingOf } from '../translation/opening.ts'
import type { AgentSlot } from './agent-slots.ts'
import { endsWithin } from '../wait.ts'

/** Starts the session's agent when it gets a slot, and saves its output from the first line to the exit. */
export async function startAgent(
  owned: OwnedSession,
  signal: AbortSignal,
  lost?: string,
): Promise<RunningAgent> {
  const known = agentNamed(owned.host.agents, owned.writer.state.summary.agent)
  const agent = (await known.load?.()) ?? known
  const beginning = await chooseBeginning(owned, agent, lost)
  const translation = beginTranslation(agent, owned.host.newId(), {
    opening: openingOf(continuationOf(beginning)),
  })
  const slot = await takeSlot(owned, signal)
  if (signal.aborted) slot[Symbol.dispose]()
  signal.throwIfAborted()
  const { running, resolveGone } = createRunningAgent(owned, translation, slot, beginning)
  owned.agent = running
  owned.spawn(async () => {
    try {
      await saveAgentOutput(owned, running)
    } catch (error) {
      // Its output can no longer be saved, so it must stop. No other agent gets its prompt: it did not lose its session.
      running.end(stoppedWithServer)
      running.startOver = null
      // The output is no longer read, so nothing may wait for room in it.
      running.output.close({ type: 'exited', exit: { code: null, signal: null, reason: null } })
      throw error
    } finally {
      slot[Symbol.dispose]()
      owned.agent = null
      resolveGone()
      const isLeft =
        running.serving !== null && owned.writer.state.summary.running?.interaction === running.serving
      if (isLeft && running.startOver !== null) owned.spawn(running.startOver)
      else owned.proceed()
    }
  })
  return running
}

/** Records a long wait for a slot; otherwise it looks like the agent is working. */
async function takeSlot(owned: OwnedSession, signal: AbortSignal): Promise<AgentSlot> {
  const { places, limits } = owned.host
  const taking = places.take(signal)
  if (!(await endsWithin(limits.placeMs, taking))) owned.spawn(() => recordWait(owned, limits.places))
  return taking
}

async function recordWait(owned: OwnedSession, places: number): Promise<void> {
  const interaction = owned.writer.state.summary.running?.interaction
  await owned.writer.appendUntilSaved(({ summary: { running } }) =>
    running === null || running.interaction !== interaction || owned.agent !== null
      ? []
      : [{ type: 'place-awaited', interaction: running.interaction, places }],
  )
}

function createRunningAgent(
  owned: OwnedSession,
  translation: TranslationState,
  slot: AgentSlot,
  beginning: Beginning,
) {
  const { limits } = owned.host
  const { agent, connection: id } = translation
  const { promise: gone, resolve: resolveGone } = Promise.withResolvers<void>()
  const output = createAgentOutput(limits, createItemTranslator(translation))
  const link: Link = { agent, beginning, output, gone, stop: new AbortController() }
  const connected = connect(owned, link)

  const running: RunningAgent = {
    agent,
    id,
    beginning,
    slot,
    output,
    connected,
    get isConnected() {
      return link.connection !== undefined
    },
    gone,
    ending: null,
    end(why) {
      if (running.ending !== null) return
      running.ending = why
      owned.spawn(() => endConnection(link, limits.endMs))
    },
    interactions: noInteractions,
    questions: new Set(),
    briefed: false,
    serving: null,
    startOver: null,
    announced: false,
  }
  return { running, resolveGone }
}

/** Disposes of a connection, then aborts it. If the agent still does not exit, its exit is reported anyway: a session never waits forever. */
async function endConnection({ connection, stop, gone, output }: Link, endMs: number): Promise<void> {
  if (connection === undefined) stop.abort()
  else await endsWithin(endMs, connection[Symbol.asyncDispose]())
  if (await endsWithin(endMs, gone)) return
  stop.abort()
  const reason = 'It did not exit when asked to.'
  output.close({ type: 'exited', exit: { code: null, signal: null, reason } })
}
