import type { Exit } from '../../agents/agent.ts'
import type { SessionState } from '../../catalogue/session-state.ts'
import { endsQuestion } from '../../projections/questions.ts'
import type { ThreadChunk } from '../../protocol/chunk.ts'
import type { Event, EventOf } from '../../protocol/event.ts'
import type { ConnectionId, InteractionId } from '../../protocol/ids.ts'
import { openParts } from '../../protocol/open-parts.ts'
import { leftByServer, leftUnbegun, type Ending } from '../agent/ending.ts'

/** How a connection ended. */
export type Exited = Omit<EventOf<'agent-exited'>, 'type' | 'chunks'>

/**
 * The events for connections that are over, and for the interaction that ends with them: pending approvals lapse and open parts
 * are closed. The end of the interaction closes the parts; without an interaction, the first exit does.
 */
export function eventsClosingConnections(
  { summary, open }: SessionState,
  connections: readonly Exited[],
  interaction: InteractionId | null,
  { outcome, reason }: Ending,
): readonly Event[] {
  const closing = openParts.closeAll(open, { errorText: reason, reason: outcome })
  const isUnanswered = (chunk: ThreadChunk) => summary.pending.some(each => endsQuestion(each, chunk))
  const chunks = closing.map(chunk => (isUnanswered(chunk) ? neverRun(chunk) : chunk))
  return [
    ...lapseEvents(summary.pending, reason),
    ...connections.map((exited, index): Event => {
      const closesParts = interaction === null && index === 0
      return { type: 'agent-exited', ...exited, chunks: closesParts ? chunks : [] }
    }),
    ...(interaction === null
      ? []
      : [{ type: 'interaction-ended', interaction, outcome, reason, chunks } as const]),
  ]
}

type Pending = SessionState['summary']['pending']

/** A call that was never approved did not run, so it was not stopped either. */
const neverRun = ({ thread, chunk }: ThreadChunk): ThreadChunk =>
  chunk.type === 'tool-output-error'
    ? { thread, chunk: { ...chunk, errorText: 'Not run: the agent ended before this was approved.' } }
    : { thread, chunk }

/** The events that end an interaction without an agent, if it still runs. */
export function eventsClosingInteraction(
  state: SessionState,
  interaction: InteractionId,
  ending: Ending,
): readonly Event[] {
  const isRunning = state.summary.running?.interaction === interaction
  return isRunning ? eventsClosingConnections(state, [], interaction, ending) : []
}

/** The events for approvals that can no longer be answered. */
export const lapseEvents = (pending: Pending, reason: string): readonly Event[] =>
  pending.map(({ approval }) => ({ type: 'approval-lapsed', approval, reason }))

/** The events that close the connections and the interaction that a dead server left open. */
export function eventsClosingLeftOver(state: SessionState): readonly Event[] {
  const exits = state.connections.map(connection => ({
    connection,
    code: null,
    signal: null,
    reason: 'The server stopped.',
  }))
  const { running, awaitsPlace } = state.summary
  const ending = awaitsPlace === null ? leftByServer : leftUnbegun
  return eventsClosingConnections(state, exits, running?.interaction ?? null, ending)
}

/** An agent that has exited, and what it was doing. */
interface ExitedAgent {
  readonly connection: ConnectionId
  /** The interaction that it served. */
  readonly serving: InteractionId | null
  /** Whether the journal has its connection. */
  readonly announced: boolean
  /** Why we ended it, or were about to. */
  readonly ending: Ending | null
}

/** The events for an agent's exit. It is saved after everything else, so the state has all that is still open. */
export function eventsClosingExitedAgent(
  state: SessionState,
  { connection, serving, announced, ending }: ExitedAgent,
  exit: Exit,
): readonly Event[] {
  const { code, signal, reason } = exit
  const exited: Exited = { connection, code, signal, reason: ending?.reason ?? reason }
  const isServed = state.summary.running?.interaction === serving
  // When the agent refused the prompt because of a known failure, that failure is the better explanation.
  const isKnown = ending !== null && !(ending.isRefusal === true && exit.sentence !== undefined)
  const why = isKnown ? ending : ({ outcome: 'failed', reason: exitSentence(exit) } as const)
  const ended = isServed && !hasLostSession(state, connection, ending, exit) ? serving : null
  return eventsClosingConnections(state, announced ? [exited] : [], ended, why)
}

/** Whether an agent ended before it continued its own session: the prompt then goes to a new one. */
const hasLostSession = (
  { summary: { resuming } }: SessionState,
  connection: ConnectionId,
  ending: Ending | null,
  { code, signal }: Exit,
): boolean => {
  const isOwnEnd = ending === null && signal === null && code !== 0
  return resuming === connection && (isOwnEnd || ending?.isRefusal === true)
}

function exitSentence({ code, signal, reason, sentence }: Exit): string {
  if (sentence !== undefined) return sentence
  const how =
    signal === null ? (code === null ? 'ended' : `ended with exit code ${code}`) : `was killed by ${signal}`
  const why = reason === null ? '.' : `: ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`
  return `The agent ${how} before it finished${why} ${goOn}`
}

const goOn = 'Send another prompt to continue. Run "dragoman doctor" to check the agent.'
