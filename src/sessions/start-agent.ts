import type { Agent } from '../agents/agent.ts'
import { DragomanError } from '../protocol/error.ts'
import { redact } from '../protocol/redact.ts'
import { blankMemory } from './attribute.ts'
import { stoppedWithServer, type Ending } from './ending.ts'
import { connect, type Link } from './connect.ts'
import { chooseBeginning, type Beginning } from './handover.ts'
import { hearAgent } from './hear-agent.ts'
import { createInbox } from './inbox.ts'
import { createInterpreter, type Interpreter } from './interpret.ts'
import type { LiveSession } from './live-session.ts'
import type { RunningAgent } from './running-agent.ts'
import { continuationOf, openingOf } from './opening.ts'
import type { Place } from './supervise.ts'
import { createUnderstanding } from './understand.ts'
import { endsWithin } from './wait.ts'

/** Starts the session's agent when there is a place for it, and hears it from its first line to its exit. */
export async function startAgent(
  live: LiveSession,
  signal: AbortSignal,
  lost?: string,
): Promise<RunningAgent> {
  const agent = agentNamed(live.host.agents, live.line.state.summary.agent)
  const beginning = await chooseBeginning(live, agent, lost)
  const interpreter = createInterpreter(agent, live.host.newId(), {
    opening: openingOf(continuationOf(beginning)),
  })
  const place = await takePlace(live, signal)
  if (signal.aborted) place[Symbol.dispose]()
  signal.throwIfAborted()
  const { running, gone } = createRunningAgent(live, interpreter, place, beginning)
  live.agent = running
  live.spawn(async () => {
    try {
      await hearAgent(live, running)
    } catch (error) {
      // What it says can no longer be saved, so it must not go on, nor may another take its prompt: it did not lose its session.
      running.end(stoppedWithServer)
      running.startOver = null
      // Nobody takes anything out of its inbox any more, so nobody may wait for room in it.
      running.inbox.close({ type: 'exited', exit: { code: null, signal: null, reason: null } })
      throw error
    } finally {
      place[Symbol.dispose]()
      live.agent = null
      gone()
      const isLeft =
        running.serving !== null && live.line.state.summary.running?.interaction === running.serving
      if (isLeft && running.startOver !== null) live.spawn(running.startOver)
      else live.proceed()
    }
  })
  return running
}

/** Who waits for long says so: nobody could tell it from an agent at work. */
async function takePlace(live: LiveSession, signal: AbortSignal): Promise<Place> {
  const { places, limits } = live.host
  const taking = places.take(signal)
  if (!(await endsWithin(limits.placeMs, taking))) live.spawn(() => tellWait(live, limits.places))
  return taking
}

async function tellWait(live: LiveSession, places: number): Promise<void> {
  const interaction = live.line.state.summary.running?.interaction
  await live.keep(({ summary: { running } }) =>
    running === null || running.interaction !== interaction || live.agent !== null
      ? []
      : [{ type: 'place-awaited', interaction: running.interaction, places }],
  )
}

/** Finds an agent by its name, or says which there are. */
export function agentNamed(agents: ReadonlyMap<string, Agent>, name: string): Agent {
  const agent = agents.get(name)
  if (agent !== undefined) return agent
  const names = [...agents.keys()].join(', ')
  throw new DragomanError('unknown-agent', `There is no agent "${redact(name)}". Available agents: ${names}.`)
}

function createRunningAgent(live: LiveSession, interpreter: Interpreter, place: Place, beginning: Beginning) {
  const { limits } = live.host
  const { agent, connection: id } = interpreter
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  const inbox = createInbox(limits, createUnderstanding(interpreter))
  const link: Link = { agent, beginning, inbox, gone, stop: new AbortController() }
  const connected = connect(live, link)
  let ending: Ending | null = null

  const running: RunningAgent = {
    agent,
    id,
    beginning,
    place,
    inbox,
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
      live.spawn(() => seeOff(link, limits.endMs))
    },
    memory: blankMemory,
    briefed: false,
    serving: null,
    startOver: null,
    announced: false,
  }
  return { running, gone: resolve }
}

/** Ends a connection the gentle way, then the hard way, and in the end without it: a session never hangs on its agent. */
async function seeOff({ connection, stop, gone, inbox }: Link, endMs: number): Promise<void> {
  if (connection === undefined) stop.abort()
  else await endsWithin(endMs, connection[Symbol.asyncDispose]())
  if (await endsWithin(endMs, gone)) return
  stop.abort()
  const reason = 'It did not exit when asked to.'
  inbox.close({ type: 'exited', exit: { code: null, signal: null, reason } })
}
