import type { SessionState } from '../../catalogue/session-state.ts'
import { endsQuestion } from '../../projections/questions.ts'
import type { ThreadChunk } from '../../protocol/chunk.ts'
import type { Event, EventOf } from '../../protocol/event.ts'
import type { InteractionId } from '../../protocol/ids.ts'
import { openParts } from '../../protocol/open-parts.ts'
import { leftByServer, leftUnbegun, type Ending } from '../agent/ending.ts'

/** How a connection ended. */
export type Exited = Omit<EventOf<'agent-exited'>, 'type' | 'chunks'>

/**
 * Tells of connections that are over, and of the interaction that ends with them: open questions lapse, open parts
 * are closed, what was said stays. The parts are closed in the end of the interaction, or without one in the exit.
 */
export function closeConnections(
  { summary, open }: SessionState,
  connections: readonly Exited[],
  interaction: InteractionId | null,
  { outcome, reason }: Ending,
): readonly Event[] {
  const closing = openParts.closeAll(open, { errorText: reason, reason: outcome })
  const isUnanswered = (said: ThreadChunk) => summary.pending.some(each => endsQuestion(each, said))
  const chunks = closing.map(said => (isUnanswered(said) ? neverRun(said) : said))
  return [
    ...lapse(summary.pending, reason),
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

/** What nobody had answered was not stopped while it ran. */
const neverRun = ({ thread, chunk }: ThreadChunk): ThreadChunk =>
  chunk.type === 'tool-output-error'
    ? { thread, chunk: { ...chunk, errorText: 'Not run: the agent ended before this was approved.' } }
    : { thread, chunk }

/** Ends the running interaction without an agent, if it is still that one. */
export function closeInteraction(
  state: SessionState,
  interaction: InteractionId,
  ending: Ending,
): readonly Event[] {
  const isRunning = state.summary.running?.interaction === interaction
  return isRunning ? closeConnections(state, [], interaction, ending) : []
}

/** Gives up questions that can no longer be answered. */
export const lapse = (pending: Pending, reason: string): readonly Event[] =>
  pending.map(({ approval }) => ({ type: 'approval-lapsed', approval, reason }))

/** Ends what a server that died left behind: its agents, and what they were at. What was said until then stays. */
export function closeLeftOver(state: SessionState): readonly Event[] {
  const exits = state.connections.map(connection => ({
    connection,
    code: null,
    signal: null,
    reason: 'The server stopped.',
  }))
  const { running, awaitsPlace } = state.summary
  const ending = awaitsPlace === null ? leftByServer : leftUnbegun
  return closeConnections(state, exits, running?.interaction ?? null, ending)
}
