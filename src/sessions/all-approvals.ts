import type { ApprovalFilter } from '../catalogue/list-approvals.ts'
import { readApprovalPage, type ApprovalPage } from '../catalogue/read-approval-page.ts'
import type { LiveSessions } from './live-sessions.ts'

/** The approvals of all sessions, as they are saved now. No session is opened for it. */
export async function allApprovalsOf(lives: LiveSessions, filter: ApprovalFilter): Promise<ApprovalPage> {
  await lives.settled()
  return readApprovalPage(lives.host, filter)
}
