import type { Session } from '../client/session.ts'
import type { ListedApproval, ListedRule } from '../client/stores/session-state.ts'
import { useClient } from './provider.ts'
import { useReadable } from './use-readable.ts'

/** The questions of a session's agent, and how to answer them. */
export interface Approvals extends Pick<Session, 'answer' | 'revokeRule'> {
  readonly approvals: readonly ListedApproval[]
  /** The pending approvals. */
  readonly pending: readonly ListedApproval[]
  /** What is always allowed. */
  readonly rules: readonly ListedRule[]
}

/** The questions of a session's agent, live. */
export function useApprovals(id: string): Approvals {
  const session = useClient().session(id)
  const { answer, revokeRule } = session
  return {
    approvals: useReadable(session.approvals),
    pending: useReadable(session.pendingApprovals),
    rules: useReadable(session.rules),
    answer,
    revokeRule,
  }
}
