import type { Opening } from '../../agents/agent.ts'
import type { SessionState } from '../../catalogue/session-state.ts'
import type { SessionTotals } from '../../protocol/data-parts.ts'
import type { EventOf } from '../../protocol/event.ts'
import type { Beginning } from '../agent/beginning.ts'

type Continuation = Pick<EventOf<'agent-connected'>, 'resumed' | 'forked' | 'totals'>

/** The totals that an agent counts on from when it continues one of its own sessions; null when they are unknown. */
export function totalsFor(state: SessionState | null, agentSession: string | null): SessionTotals | null {
  const reported = state?.totals ?? null
  if (reported === null || agentSession === null || reported.agentSession !== agentSession) return null
  const { tokens, cost, earlier } = reported
  return { tokens, cost, ...(earlier !== undefined && { earlier }) }
}

/** What the event of a connection says of the session that it continues. */
export function continuationOf({ resume, fork, totals }: Beginning): Continuation {
  return {
    resumed: resume,
    ...(fork !== null && { forked: fork.agentSession }),
    ...(totals !== null && { totals }),
  }
}

/** What the translation of a connection starts with, from the event that announces it: for live lines and for replays. */
export function openingOf(event: Continuation): Opening | undefined {
  const isContinued = (event.resumed ?? event.forked ?? null) !== null
  return isContinued ? { totals: event.totals ?? null } : undefined
}
