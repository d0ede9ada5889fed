import type { Tokens } from '../protocol/data-parts.ts'
import type { InteractionId, SessionId } from '../protocol/ids.ts'

/** What a list shows of a session, and what is needed to pick it up again without reading it all. */
export interface SessionSummary {
  readonly session: SessionId
  readonly agent: string
  readonly cwd: string
  readonly title: string | null
  readonly status: 'idle' | 'running' | 'waiting' | 'failed'
  readonly archived: boolean
  /** The agent's own name for the session, the newest one; resuming uses it. */
  readonly agentSession: string | null
  readonly model: string | null
  /** In US dollars, as far as the agent told. */
  readonly cost: number | null
  readonly tokens: Tokens
  readonly interactions: number
  /** The running interaction and the seq at which it started. */
  readonly running: { readonly interaction: InteractionId; readonly seq: number } | null
  readonly createdAt: number
  readonly updatedAt: number
  /** The last entry that is counted in. */
  readonly seq: number
}
