import type { ListedApproval, ListedRule, ListedSession } from 'dragoman/client'
import { jsonText } from './json-fields.ts'

/** What a session's agent has asked, and what is always allowed there. */
export interface ReadSession {
  readonly session: ListedSession
  readonly approvals: readonly ListedApproval[]
  readonly rules: readonly ListedRule[]
}

/** One question in the ledger. */
export interface LedgerRow {
  readonly session: ListedSession
  readonly approval: ListedApproval
}

/** Which past questions are shown. */
export interface LedgerFilter {
  /** Words in the tool, the input, the reason or the title of the session. */
  readonly words: string
  readonly status: 'all' | 'granted' | 'denied' | 'lapsed'
  readonly by: 'all' | NonNullable<ListedApproval['by']>
}

/** Every past question. */
export const everything: LedgerFilter = { words: '', status: 'all', by: 'all' }

/** All questions of all sessions: those that wait, the longest-waiting first, and those that are over, the newest first. */
export function ledgerOf(read: readonly ReadSession[]): {
  readonly waiting: readonly LedgerRow[]
  readonly past: readonly LedgerRow[]
} {
  const rows = read.flatMap(({ session, approvals }) =>
    // What was copied with a conversation is listed where it was asked.
    approvals.filter(({ copied }) => copied !== true).map(approval => ({ session, approval })),
  )
  const isWaiting = ({ approval }: LedgerRow) => approval.status === 'pending'
  return {
    waiting: rows.filter(isWaiting).toSorted((one, other) => askedAt(one) - askedAt(other)),
    past: rows.filter(row => !isWaiting(row)).toSorted((one, other) => askedAt(other) - askedAt(one)),
  }
}

const askedAt = ({ approval }: LedgerRow) => approval.requested.at

/** Whether a past question is one of those that are looked for. */
export function matches({ session, approval }: LedgerRow, { words, status, by }: LedgerFilter): boolean {
  if (status !== 'all' && approval.status !== status) return false
  if (by !== 'all' && approval.by !== by) return false
  const wanted = words.trim().toLowerCase()
  if (wanted === '') return true
  const { tool, input, reason, changedInput } = approval
  const said = [tool, jsonText(input), reason, jsonText(changedInput), session.title, session.cwd]
  return said.some(text => text?.toLowerCase().includes(wanted) === true)
}
