import type { Projection } from '../projections/projection.ts'
import { queue, type QueuedPrompt } from '../projections/queue.ts'
import { outdatedRules, rules, type Rule } from '../projections/rules.ts'
import { totalsAfter, type ReportedTotals } from '../projections/session-totals.ts'
import { runningSubagents, type Subagent } from '../projections/subagents.ts'
import { summary, type SessionSummary } from '../projections/summary.ts'
import type { Todo } from '../protocol/data-parts.ts'
import { chunksOf, type Event } from '../protocol/event.ts'
import type { ConnectionId, RuleId } from '../protocol/ids.ts'
import type { Json } from '../protocol/json.ts'
import { openParts, type OpenParts } from '../protocol/open-parts.ts'

/** The state to continue a session from without reading all of it. Plain data, and small even for a long session. */
export interface SessionState {
  readonly summary: SessionSummary
  readonly queue: readonly QueuedPrompt[]
  /** The connections whose agents have not exited. */
  readonly connections: readonly ConnectionId[]
  /** The open messages and parts. */
  readonly open: OpenParts
  /** The rules for calls that a person always allows. */
  readonly rules: readonly Rule[]
  /** Rules of an older version that cover too much, and must be dropped. */
  readonly outdatedRules: readonly RuleId[]
  /** The plan of the main conversation; null when there is none. */
  readonly todos: readonly Todo[] | null
  /** The running subagents. */
  readonly subagents: readonly Subagent[]
  /** The totals that the agent last reported for its own session; null when it reports none. */
  readonly totals: ReportedTotals | null
  /** The last agent that was assigned with options, and these options; null without one. */
  readonly assigned: { readonly agent: string; readonly options: Json } | null
}

/** Increased when this type or the rows change. Rows of another version are made again from the journal. */
export const stateVersion = 14

const blank: Omit<SessionState, 'summary'> = {
  queue: queue.initial,
  connections: [],
  open: openParts.initial,
  rules: rules.initial,
  outdatedRules: outdatedRules.initial,
  todos: null,
  subagents: runningSubagents.initial,
  totals: null,
  assigned: null,
}

/** The fold of a session's entries into its state; null before it was created. */
export const sessionState: Projection<SessionState | null> = {
  initial: null,
  apply(state, entry) {
    const { event } = entry
    const next = summary.apply(state?.summary ?? summary.initial, entry)
    if (next === null) return null
    const before = state ?? blank
    return {
      summary: next,
      queue: queue.apply(before.queue, entry),
      connections: connectionsAfter(before.connections, event),
      open: chunksOf(event).reduce(openParts.apply, before.open),
      rules: rules.apply(before.rules, entry),
      outdatedRules: outdatedRules.apply(before.outdatedRules, entry),
      todos: planIn(event) ?? before.todos,
      subagents: runningSubagents.apply(before.subagents, entry),
      totals: totalsAfter(before.totals, event, next.agentSession),
      assigned: assignedIn(event) ?? before.assigned,
    }
  },
}

function assignedIn(event: Event): SessionState['assigned'] {
  if (event.type !== 'agent-assigned' || event.options === undefined) return null
  return { agent: event.agent, options: event.options }
}

function planIn(event: Event): readonly Todo[] | undefined {
  const last = chunksOf(event).findLast(({ thread, chunk }) => thread === null && chunk.type === 'data-todos')
  return last?.chunk.type === 'data-todos' ? last.chunk.data.todos : undefined
}

function connectionsAfter(connections: readonly ConnectionId[], event: Event): readonly ConnectionId[] {
  if (event.type === 'agent-connected') return [...connections, event.connection]
  if (event.type === 'agent-exited') return connections.filter(each => each !== event.connection)
  return connections
}
