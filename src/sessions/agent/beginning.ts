import type { ForkPoint } from '../../agents/agent.ts'
import type { Transcript } from '../../projections/transcript.ts'
import type { SessionTotals } from '../../protocol/data-parts.ts'
import type { HandoverWay } from '../../protocol/event.ts'

/** How a new agent gets the conversation so far. */
export interface Beginning {
  /** Its own session to resume. */
  readonly resume: string | null
  /** Where to copy one of the agent's own sessions. */
  readonly fork: ForkPoint | null
  /** Null when there is no conversation yet. */
  readonly way: HandoverWay | null
  /** The agent's own session that was lost, which is why the conversation is sent again. */
  readonly lost?: string
  /** The totals that the agent last reported for the session that it continues; null when unknown. */
  readonly totals: SessionTotals | null
}

/** How the conversation was handed over, for the journal; `transcript` is put before the prompt. */
export interface Handover {
  readonly way: HandoverWay
  readonly agentSession: string | null
  readonly transcript: Transcript | null
  readonly lost?: string
}
