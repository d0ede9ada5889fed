import type { Thread, ThreadChunk } from '../protocol/chunk.ts'
import { chunksOf } from '../protocol/event.ts'
import type { ApprovalId } from '../protocol/ids.ts'
import { endsCall } from './call-end.ts'
import type { Projection } from './projection.ts'

/** An approval request without an answer. */
export interface PendingApproval {
  readonly approval: ApprovalId
  readonly toolCallId: string
  readonly thread: Thread
}

/**
 * The questions that are pending after each entry, also those of background work while nothing runs. This is the only place that
 * decides what is pending: a question stops being so when it is answered, when it lapses, when its call ends or when an
 * interaction ends.
 */
export const questions: Projection<readonly PendingApproval[]> = {
  initial: [],
  apply(pending, { event }) {
    if (event.type === 'interaction-ended') return drop(pending, () => true)
    if (event.type === 'approval-answered' || event.type === 'approval-lapsed')
      return drop(pending, ({ approval }) => approval === event.approval)
    return chunksOf(event).reduce(pendingAfter, pending)
  },
}

/** The questions that are pending after some chunks, and those that were until their call ended. */
export function questionsAfter(pending: readonly PendingApproval[], chunks: readonly ThreadChunk[]) {
  const lapsed: PendingApproval[] = []
  let left = pending
  for (const each of chunks) {
    lapsed.push(...left.filter(question => endsQuestion(question, each)))
    left = pendingAfter(left, each)
  }
  return { pending: left, lapsed }
}

/** Whether a chunk ends the call that a question is about: the agent no longer waits for an answer then. */
export const endsQuestion = (question: PendingApproval, { thread, chunk }: ThreadChunk): boolean =>
  endsCall(chunk) && chunk.toolCallId === question.toolCallId && thread === question.thread

function pendingAfter(pending: readonly PendingApproval[], from: ThreadChunk): readonly PendingApproval[] {
  const { thread, chunk } = from
  if (chunk.type !== 'tool-approval-request') return drop(pending, each => endsQuestion(each, from))
  const { approvalId, toolCallId } = chunk
  const others = drop(pending, ({ approval }) => approval === approvalId)
  return [...others, { approval: approvalId as ApprovalId, toolCallId, thread }]
}

/** The questions without some; the same list when there are none of those. */
const drop = (pending: readonly PendingApproval[], isOver: (question: PendingApproval) => boolean) =>
  pending.some(isOver) ? pending.filter(each => !isOver(each)) : pending
