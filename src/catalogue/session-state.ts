import type { Projection } from '../projections/projection.ts'
import { queue, type QueuedPrompt } from '../projections/queue.ts'
import { summary, type SessionSummary } from '../projections/summary.ts'
import { chunksOf, type Event } from '../protocol/event.ts'
import type { ConnectionId } from '../protocol/ids.ts'
import { openParts, type OpenParts } from '../protocol/open-parts.ts'

/** All that is needed to go on with a session without reading it from the start. Plain data, small, whatever its length. */
export interface SessionState {
  readonly summary: SessionSummary
  readonly queue: readonly QueuedPrompt[]
  /** The connections whose agents are still there, or were when their server died. */
  readonly connections: readonly ConnectionId[]
  /** What was begun and not ended. */
  readonly open: OpenParts
}

/** Counts up whenever the shape above changes: older rows are then made again from the journal. */
export const stateVersion = 2

/** The fold of a session's entries into its state; null before it was created. */
export const sessionState: Projection<SessionState | null> = {
  initial: null,
  apply(state, entry) {
    const { event } = entry
    const next = summary.apply(state?.summary ?? summary.initial, entry)
    if (next === null) return null
    return {
      summary: next,
      queue: queue.apply(state?.queue ?? queue.initial, entry),
      connections: connectionsAfter(state?.connections ?? [], event),
      open: chunksOf(event).reduce(openParts.apply, state?.open ?? openParts.initial),
    }
  },
}

function connectionsAfter(connections: readonly ConnectionId[], event: Event): readonly ConnectionId[] {
  if (event.type === 'agent-connected') return [...connections, event.connection]
  if (event.type === 'agent-exited') return connections.filter(each => each !== event.connection)
  return connections
}
