import type { Thread, ThreadChunk } from '../protocol/chunk.ts'
import { chunksOf, type Outcome, type Trigger } from '../protocol/event.ts'
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

/** The interaction that runs, what set it going, and the seq at which it started. */
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
  initial: { status: 'idle', running: null, ended: null, pending: [] },
  apply(before, { seq, event }) {
    if (event.type === 'interaction-started') {
      const { interaction, trigger } = event
      return withPending({ ...before, running: { interaction, trigger, seq }, ended: null }, before.pending)
    }
    if (event.type === 'interaction-ended') {
      if (before.running?.interaction !== event.interaction) return before
      const { outcome: ended } = event
      return { status: ended === 'failed' ? 'failed' : 'idle', running: null, ended, pending: [] }
    }
    if (event.type === 'approval-answered' || event.type === 'approval-lapsed')
      return changed(before, without(before.pending, event.approval))
    return changed(before, chunksOf(event).reduce(pendingAfter, before.pending))
  },
}

const changed = (before: SessionStatus, pending: readonly PendingApproval[]): SessionStatus =>
  pending === before.pending ? before : withPending(before, pending)

function withPending(before: SessionStatus, pending: readonly PendingApproval[]): SessionStatus {
  if (before.running === null) return { ...before, pending }
  return { ...before, status: pending.length > 0 ? 'waiting' : 'running', pending }
}

function without(pending: readonly PendingApproval[], approval: string): readonly PendingApproval[] {
  return pending.some(each => each.approval === approval)
    ? pending.filter(each => each.approval !== approval)
    : pending
}

function pendingAfter(pending: readonly PendingApproval[], said: ThreadChunk): readonly PendingApproval[] {
  const asked = withQuestion(pending, said)
  return asked.some(each => isMoot(each, said)) ? asked.filter(each => !isMoot(each, said)) : asked
}

/** The questions that wait, and the one that a chunk asks. */
export function withQuestion(
  pending: readonly PendingApproval[],
  { thread, chunk }: ThreadChunk,
): readonly PendingApproval[] {
  if (chunk.type !== 'tool-approval-request') return pending
  const asked = { approval: chunk.approvalId as ApprovalId, toolCallId: chunk.toolCallId, thread }
  return [...without(pending, asked.approval), asked]
}

/** Whether a chunk ends the call that a question is about: the agent then no longer waits for an answer. */
export const isMoot = (question: PendingApproval, { thread, chunk }: ThreadChunk): boolean =>
  endsCall(chunk) && chunk.toolCallId === question.toolCallId && thread === question.thread
