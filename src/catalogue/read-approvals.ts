import type { Journal } from '../journal/journal.ts'
import { createApprovals, type Approval } from '../projections/approvals.ts'
import { readEntries } from './read-entries.ts'
import type { SessionState } from './session-state.ts'

/** The approvals of the running interaction, and those that are pending. */
export async function readApprovals(
  journal: Pick<Journal, 'read'>,
  { summary }: SessionState,
): Promise<readonly Approval[]> {
  const { running, pending } = summary
  if (running === null && pending.length === 0) return []
  const recent = await foldApprovals(journal, summary, running?.seq ?? 1)
  return currentApprovals(journal, summary, recent)
}

/** All approvals of a session. */
export const readAllApprovals = (journal: Pick<Journal, 'read'>, { summary }: SessionState) =>
  foldApprovals(journal, summary, 1)

/** The approvals of the running interaction, and all pending ones. */
export async function currentApprovals(
  journal: Pick<Journal, 'read'>,
  summary: SessionState['summary'],
  recent: readonly Approval[],
): Promise<readonly Approval[]> {
  const { running, pending } = summary
  const isThere = pending.every(({ approval }) => recent.some(({ id }) => id === approval))
  // The approval of a background task, or its tool call, can be anywhere before.
  const isWhole = isThere && recent.every(({ tool }) => tool !== '')
  const all = isWhole ? recent : await foldApprovals(journal, summary, 1)
  const isOfRunning = ({ requested }: Approval) => running !== null && requested.seq >= running.seq
  return all.filter(each => each.status === 'pending' || isOfRunning(each))
}

async function foldApprovals(
  journal: Pick<Journal, 'read'>,
  { session, seq }: SessionState['summary'],
  first: number,
): Promise<readonly Approval[]> {
  const approvals = createApprovals()
  for await (const entry of readEntries(journal, session, first, seq)) approvals.apply(entry)
  return approvals.view()
}
