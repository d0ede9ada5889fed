import type { Projection } from '../projections/projection.ts'
import { queue, type QueuedPrompt } from '../projections/queue.ts'
import type { PendingApproval } from '../projections/status.ts'
import { summary, type SessionSummary } from '../projections/summary.ts'
import type { ThreadChunk } from '../protocol/chunk.ts'
import { chunksOf, type Event } from '../protocol/event.ts'
import type { ApprovalId } from '../protocol/ids.ts'
import { openParts, type OpenParts } from '../protocol/open-parts.ts'

/** All that is needed to go on with a session without reading it from the start. Plain data, small, whatever its length. */
export interface SessionState {
  readonly summary: SessionSummary
  readonly queue: readonly QueuedPrompt[]
  /** The questions that wait for an answer, also those of background work while nothing runs. */
  readonly pending: readonly PendingApproval[]
  /** What was begun and not ended. */
  readonly open: OpenParts
}

/** Counts up whenever the shape above changes: older rows are then made again from the journal. */
export const stateVersion = 1

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
      pending: pendingAfter(state?.pending ?? [], event),
      open: chunksOf(event).reduce(openParts.apply, state?.open ?? openParts.initial),
    }
  },
}

function pendingAfter(pending: readonly PendingApproval[], event: Event): readonly PendingApproval[] {
  return event.type === 'approval-answered' || event.type === 'approval-lapsed'
    ? pending.filter(({ approval }) => approval !== event.approval)
    : questionsAfter(pending, chunksOf(event))
}

/** The questions that wait after some chunks; only an answer or a lapse, which are events, takes one away. */
export function questionsAfter(
  pending: readonly PendingApproval[],
  chunks: readonly ThreadChunk[],
): readonly PendingApproval[] {
  const asked = chunks.flatMap(({ thread, chunk }) =>
    chunk.type === 'tool-approval-request'
      ? [{ approval: chunk.approvalId as ApprovalId, toolCallId: chunk.toolCallId, thread }]
      : [],
  )
  if (asked.length === 0) return pending
  const isAskedAgain = (known: PendingApproval) => asked.some(({ approval }) => approval === known.approval)
  return [...pending.filter(known => !isAskedAgain(known)), ...asked]
}
