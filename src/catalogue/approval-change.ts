import type { PendingApproval } from '../projections/questions.ts'
import type { Chunk, Thread } from '../protocol/chunk.ts'
import type { Entry } from '../protocol/entry.ts'
import type { InteractionId, SessionId } from '../protocol/ids.ts'

/** A change of an entry to approvals. */
export type ApprovalChange =
  | {
      readonly type: 'approval-asked'
      readonly session: SessionId
      readonly approval: string
      readonly seq: number
      readonly at: number
      /** The place among all chunks of the entry. */
      readonly place: number
      readonly interaction: InteractionId | null
      readonly call: string
      readonly thread: Thread
      /** The message with the tool call; undefined when no message is open. */
      readonly message: string | undefined
    }
  | {
      readonly type: 'approval-settled' | 'approval-over'
      readonly session: SessionId
      readonly approval: string
      readonly seq: number
    }
  /** Approvals that were copied from another session: all so far, or those of some interactions. */
  | {
      readonly type: 'approvals-copied'
      readonly session: SessionId
      readonly interactions: readonly InteractionId[] | null
      readonly seq: number
    }

/** The row of a new question. */
export function approvalAsked(
  { session, seq, at, event }: Entry,
  { approvalId, toolCallId: call }: Extract<Chunk, { readonly type: 'tool-approval-request' }>,
  where: { readonly thread: Thread; readonly message: string | undefined; readonly place: number },
): ApprovalChange {
  const interaction = 'interaction' in event ? event.interaction : null
  return { type: 'approval-asked', session, approval: approvalId, seq, at, interaction, call, ...where }
}

/** The approvals that are no longer pending after an entry, whether or not it names them; `asked` are its own questions. */
export function approvalsOver(
  { session, seq }: Entry,
  before: readonly PendingApproval[],
  asked: readonly string[],
  after: readonly PendingApproval[],
): readonly ApprovalChange[] {
  if (before === after && asked.length === 0) return []
  const left = new Set<string>(after.map(({ approval }) => approval))
  const waited = [...before.map(({ approval }) => approval), ...asked]
  return waited.flatMap(approval =>
    left.has(approval) ? [] : [{ type: 'approval-over', session, approval, seq } as const],
  )
}

/** The approvals that an entry marks as copies from another session. */
export function approvalsCopied({ session, seq, event }: Entry): readonly ApprovalChange[] {
  if (event.type !== 'session-branched' && event.type !== 'interactions-merged') return []
  const interactions = event.type === 'session-branched' ? null : event.interactions
  return [{ type: 'approvals-copied', session, interactions, seq }]
}
