import type { Opening } from '../../agents/agent.ts'
import type { SessionState } from '../../catalogue/session-state.ts'
import type { SessionTotals } from '../../protocol/data-parts.ts'
import type { EventOf } from '../../protocol/event.ts'
import type { Beginning } from '../agent/beginning.ts'

type Continuation = Pick<EventOf<'agent-connected'>, 'resumed' | 'forked' | 'totals'>

/** The totals that an agent starts from when it continues its own session; null if unknown. */
export function totalsFor(state: SessionState | null, agentSession: string | null): SessionTotals | null {
  const reported = state?.totals ?? null
  if (reported === null || agentSession === null || reported.agentSession !== agentSession) return null
  const { tokens, cost, earlier } = reported
  return { tokens, cost, ...(earlier !== undefined && { earlier }) }
}

/** The fields of `agent-connected` about the session that the agent continues. */
export function continuationOf({ resume, fork, totals }: Beginning): Continuation {
  return {
    resumed: resume,
    ...(fork !== null && { forked: fork.agentSession }),
    ...(totals !== null && { totals }),
  }
}

/** What a translation starts with, from the event of its connection. Live lines and replays use the same. */
export function openingOf(event: Continuation): Opening | undefined {
  const isContinued = (event.resumed ?? event.forked ?? null) !== null
  return isContinued ? { totals: event.totals ?? null } : undefined
}
