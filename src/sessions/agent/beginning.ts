import type { ForkPoint } from '../../agents/agent.ts'
import type { Transcript } from '../../projections/transcript.ts'
import type { SessionTotals } from '../../protocol/data-parts.ts'
import type { HandoverWay } from '../../protocol/event.ts'

/** How an agent that is started gets to know the conversation so far. */
export interface Beginning {
  /** Its own session to pick up again. */
  readonly resume: string | null
  /** Where to copy one of its own sessions. */
  readonly fork: ForkPoint | null
  /** Null when there is nothing to know. */
  readonly way: HandoverWay | null
  /** Its own session that it turned out to have lost, so that the conversation is sent again. */
  readonly lost?: string
  /** The totals that the agent last reported for its session that is continued; null when unknown. */
  readonly totals: SessionTotals | null
}

/** What was handed over, for the journal; `transcript` is put before the prompt. */
export interface Handover {
  readonly way: HandoverWay
  readonly agentSession: string | null
  readonly transcript: Transcript | null
  readonly lost?: string
}
