import type { SessionId } from '../protocol/ids.ts'

/** Which approvals of all sessions to list. */
export interface ApprovalFilter {
  /** Pending approvals, or those that were answered or lapsed; both without it. */
  readonly status?: 'pending' | 'settled'
  /** The `next` of the page before. */
  readonly cursor?: string
  readonly limit: number
}

/** Where an approval is in the journal of its session. */
export interface ApprovalPlace {
  readonly session: SessionId
  readonly id: string
  readonly askedSeq: number
  /** The entry with the input of the tool call; null when unknown. */
  readonly callSeq: number | null
  /** The entry that ended the wait; null while it is pending. */
  readonly overSeq: number | null
  /** The entry with its answer or its lapse; null without one. */
  readonly settledSeq: number | null
}

/** Places of approvals, and the cursor of the next page: null on the last page. */
export interface ApprovalPlaces {
  readonly places: readonly ApprovalPlace[]
  readonly next: string | null
}
