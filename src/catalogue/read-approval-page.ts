import type { Journal } from '../journal/journal.ts'
import { createApprovals, type Approval } from '../projections/approvals.ts'
import type { SessionSummary } from '../projections/summary.ts'
import { isDragomanError } from '../protocol/error.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { Catalogue } from './catalogue.ts'
import type { ApprovalFilter, ApprovalPlace } from './list-approvals.ts'
import { readEntries } from './read-entries.ts'

/** An approval, and the session in which it was asked. */
export interface SessionApproval extends Approval {
  readonly session: SessionId
}

/** Approvals of all sessions, those sessions, and the cursor for the next page: null when there is none. */
export interface ApprovalPage {
  readonly approvals: readonly SessionApproval[]
  readonly sessions: readonly SessionSummary[]
  readonly next: string | null
}

interface Parts {
  readonly journal: Pick<Journal, 'read'>
  readonly catalogue: Pick<Catalogue, 'approvals' | 'summaries'>
}

/** Reads a page of approvals: a few entries for each, however long its session is. Nothing is opened or written. */
export async function readApprovalPage(
  { journal, catalogue }: Parts,
  filter: ApprovalFilter,
): Promise<ApprovalPage> {
  const { places, next } = await catalogue.approvals(filter)
  const [read, sessions] = await Promise.all([
    Promise.all(places.map(place => readUnlessDamaged(journal, place))),
    catalogue.summaries([...new Set(places.map(({ session }) => session))]),
  ])
  return { approvals: read.flatMap(approval => approval ?? []), sessions, next }
}

/** A damaged session must not hide the approvals of the others; `dragoman verify` reports it. */
async function readUnlessDamaged(
  journal: Parts['journal'],
  place: ApprovalPlace,
): Promise<SessionApproval | undefined> {
  try {
    return await readApproval(journal, place)
  } catch (error) {
    if (isDragomanError(error, 'session-damaged')) return undefined
    throw error
  }
}

/** How many entries before an approval are searched for its tool call if the place of the call is unknown. */
const searched = 256

/** The fold of a whole session, over the relevant entries only: the call, the question and its end. */
async function readApproval(
  journal: Parts['journal'],
  { session, id, askedSeq, callSeq, overSeq, settledSeq }: ApprovalPlace,
): Promise<SessionApproval | undefined> {
  const approvals = createApprovals()
  const first = callSeq ?? Math.max(1, askedSeq - searched)
  const last = callSeq ?? askedSeq
  for await (const entry of readEntries(journal, session, first, last)) approvals.apply(entry)
  const rest = new Set([askedSeq, overSeq ?? 0, settledSeq ?? 0].filter(seq => seq > last))
  for (const seq of rest)
    for await (const entry of readEntries(journal, session, seq, seq)) approvals.apply(entry)
  const found = approvals.view().find(each => each.id === id)
  return found && { ...found, session }
}
