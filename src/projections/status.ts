import type { Thread, ThreadChunk } from '../protocol/chunk.ts'
import { chunksOf } from '../protocol/event.ts'
import type { ApprovalId, InteractionId } from '../protocol/ids.ts'
import { endsCall } from './call-end.ts'
import type { Projection } from './projection.ts'

/** What a session is doing: `waiting` means running, but for a person's answer. */
export type Status = 'idle' | 'running' | 'waiting' | 'failed'

/** A question that nobody has answered yet. */
export interface PendingApproval {
  readonly approval: ApprovalId
  readonly toolCallId: string
  readonly thread: Thread
}

/** The status of a session, and what it follows from. Plain data and small, so that it can be stored and continued. */
export interface SessionStatus {
  readonly status: Status
  /** The running interaction and the seq at which it started. */
  readonly running: { readonly interaction: InteractionId; readonly seq: number } | null
  readonly pending: readonly PendingApproval[]
}

/** What the session is doing after each entry. */
export const status: Projection<SessionStatus> = {
  initial: { status: 'idle', running: null, pending: [] },
  apply(before, { seq, event }) {
    if (event.type === 'interaction-started')
      return { status: 'running', running: { interaction: event.interaction, seq }, pending: [] }
    if (event.type === 'interaction-ended') {
      if (before.running?.interaction !== event.interaction) return before
      return { status: event.outcome === 'failed' ? 'failed' : 'idle', running: null, pending: [] }
    }
    if (event.type === 'approval-answered' || event.type === 'approval-lapsed')
      return withPending(before, without(before.pending, event.approval))
    return withPending(before, chunksOf(event).reduce(pendingAfter, before.pending))
  },
}

function withPending(before: SessionStatus, pending: readonly PendingApproval[]): SessionStatus {
  if (before.running === null || pending === before.pending) return before
  return { ...before, status: pending.length > 0 ? 'waiting' : 'running', pending }
}

function without(pending: readonly PendingApproval[], approval: string): readonly PendingApproval[] {
  return pending.some(each => each.approval === approval)
    ? pending.filter(each => each.approval !== approval)
    : pending
}

/** A question is also over when its call ends without an answer: the agent no longer waits for it. */
function pendingAfter(
  pending: readonly PendingApproval[],
  { thread, chunk }: ThreadChunk,
): readonly PendingApproval[] {
  if (chunk.type === 'tool-approval-request') {
    const asked = { approval: chunk.approvalId as ApprovalId, toolCallId: chunk.toolCallId, thread }
    return [...without(pending, asked.approval), asked]
  }
  if (pending.length === 0 || !endsCall(chunk)) return pending
  const left = pending.filter(each => each.toolCallId !== chunk.toolCallId || each.thread !== thread)
  return left.length === pending.length ? pending : left
}
