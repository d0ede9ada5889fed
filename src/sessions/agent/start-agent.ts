import { noOwners } from './assign-interaction.ts'
import { stoppedWithServer, type Ending } from './ending.ts'
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

/** Starts the session's agent when there is a slot for it, and saves its output from the first line to the exit. */
export async function startAgent(
  owned: OwnedSession,
  signal: AbortSignal,
  lost?: string,
): Promise<RunningAgent> {
  const known = agentNamed(owned.host.agents, owned.record.state.summary.agent)
  const agent = (await known.load?.()) ?? known
  const beginning = await chooseBeginning(owned, agent, lost)
  const translation = beginTranslation(agent, owned.host.newId(), {
    opening: openingOf(continuationOf(beginning)),
  })
  const slot = await takeSlot(owned, signal)
  if (signal.aborted) slot[Symbol.dispose]()
  signal.throwIfAborted()
  const { running, gone } = createRunningAgent(owned, translation, slot, beginning)
  owned.agent = running
  owned.spawn(async () => {
    try {
      await saveAgentOutput(owned, running)
    } catch (error) {
      // Its output can no longer be saved, so it must not go on, nor may another agent get its prompt: it did not lose its session.
      running.end(stoppedWithServer)
      running.startOver = null
      // Nothing is read from its output any more, so nothing may wait for room in it.
      running.output.close({ type: 'exited', exit: { code: null, signal: null, reason: null } })
      throw error
    } finally {
      slot[Symbol.dispose]()
      owned.agent = null
      gone()
      const isLeft =
        running.serving !== null && owned.record.state.summary.running?.interaction === running.serving
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
  const interaction = owned.record.state.summary.running?.interaction
  await owned.appendUntilSaved(({ summary: { running } }) =>
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
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  const output = createAgentOutput(limits, createItemTranslator(translation))
  const link: Link = { agent, beginning, output, gone, stop: new AbortController() }
  const connected = connect(owned, link)
  let ending: Ending | null = null

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
    get ending() {
      return ending
    },
    end(why) {
      if (ending !== null) return
      ending = why
      owned.spawn(() => endConnection(link, limits.endMs))
    },
    owners: noOwners,
    questions: new Set(),
    briefed: false,
    serving: null,
    startOver: null,
    announced: false,
  }
  return { running, gone: resolve }
}

/** Ends a connection the gentle way, then the hard way, and in the end without it: a session never hangs on its agent. */
async function endConnection({ connection, stop, gone, output }: Link, endMs: number): Promise<void> {
  if (connection === undefined) stop.abort()
  else await endsWithin(endMs, connection[Symbol.asyncDispose]())
  if (await endsWithin(endMs, gone)) return
  stop.abort()
  const reason = 'It did not exit when asked to.'
  output.close({ type: 'exited', exit: { code: null, signal: null, reason } })
}
