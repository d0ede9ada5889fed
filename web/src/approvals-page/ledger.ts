import type { ListedApproval, ListedRule, ListedSession } from 'dragoman/client'
import { jsonText } from '../approvals/json-fields.ts'

/** One request in the history. */
export interface LedgerRow {
  readonly session: ListedSession
  readonly approval: ListedApproval
}

/** One rule in the ledger. */
export interface LedgerRule {
  readonly session: ListedSession
  readonly rule: ListedRule
}

/** Filters for the history. */
export interface LedgerFilter {
  /** Search text for the tool, the input, the reason or the session title. */
  readonly words: string
  readonly status: 'all' | 'granted' | 'denied' | 'lapsed'
  readonly by: 'all' | NonNullable<ListedApproval['by']>
}

/** No filter. */
export const everything: LedgerFilter = { words: '', status: 'all', by: 'all' }

/**
 * A fingerprint of pending requests and answers in the session list; streaming text does not change it. While
 * requests are pending it has the last entry's number, since one may replace another.
 */
export const markOf = (sessions: readonly ListedSession[]): string =>
  sessions
    .map(({ id, pending, status, interactions, title, seq }) =>
      JSON.stringify([id, pending, status, interactions, title, pending > 0 ? seq : null]),
    )
    .toSorted()
    .join('\n')

/** A key that is unique across sessions. */
export const keyOf = ({ session, approval }: LedgerRow): string => `${session.id} ${approval.id}`

/** Whether a past request matches the filter. */
export function matches({ session, approval }: LedgerRow, { words, status, by }: LedgerFilter): boolean {
  if (status !== 'all' && approval.status !== status) return false
  if (by !== 'all' && approval.by !== by) return false
  const wanted = words.trim().toLowerCase()
  if (wanted === '') return true
  const { tool, input, reason, changedInput } = approval
  const texts = [tool, jsonText(input), reason, jsonText(changedInput), session.title, session.cwd]
  return texts.some(text => text?.toLowerCase().includes(wanted) === true)
}
