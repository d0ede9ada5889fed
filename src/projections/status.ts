import type { Outcome, Trigger } from '../protocol/event.ts'
import type { InteractionId } from '../protocol/ids.ts'
import type { Projection } from './projection.ts'
import { questions, type PendingApproval } from './questions.ts'

/** What a session is doing: `waiting` means that the running interaction waits for a person's answer. */
export type Status = 'idle' | 'running' | 'waiting' | 'failed'

/** The interaction that runs, what started it, and the seq at which it started. */
export interface RunningInteraction {
  readonly interaction: InteractionId
  readonly trigger: Trigger
  readonly seq: number
}

/** The status of a session, and what it follows from. Plain data and small, so that it can be stored and continued. */
export interface SessionStatus {
  readonly status: Status
  readonly running: RunningInteraction | null
  /** How the last interaction ended; null while one runs, and before the first. */
  readonly ended: Outcome | null
  /** The questions that wait for an answer, also those of background work while nothing runs. */
  readonly pending: readonly PendingApproval[]
}

/** What the session is doing after each entry. */
export const status: Projection<SessionStatus> = {
  initial: { status: 'idle', running: null, ended: null, pending: questions.initial },
  apply(before, entry) {
    const { seq, event } = entry
    const pending = questions.apply(before.pending, entry)
    if (event.type === 'interaction-started') {
      const { interaction, trigger } = event
      return withPending({ ...before, running: { interaction, trigger, seq }, ended: null }, pending)
    }
    if (event.type === 'interaction-ended' && before.running?.interaction === event.interaction) {
      const { outcome: ended } = event
      return { status: ended === 'failed' ? 'failed' : 'idle', running: null, ended, pending }
    }
    return pending === before.pending ? before : withPending(before, pending)
  },
}

function withPending(before: SessionStatus, pending: readonly PendingApproval[]): SessionStatus {
  if (before.running === null) return { ...before, pending }
  return { ...before, status: pending.length > 0 ? 'waiting' : 'running', pending }
}
