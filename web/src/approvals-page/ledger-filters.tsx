import type { ReactElement } from 'react'
import styles from './approvals-page.module.css'
import type { LedgerFilter } from './ledger.ts'

/** Which past questions are shown. */
export function LedgerFilters({
  filter,
  onFilter,
}: {
  readonly filter: LedgerFilter
  readonly onFilter: (filter: LedgerFilter) => void
}): ReactElement {
  return (
    <div className={styles['filters']} role="search" aria-label="Approval history">
      <input
        type="search"
        className={styles['control']}
        aria-label="Search approvals"
        placeholder="Tool, command or session"
        value={filter.words}
        onChange={({ target }) => onFilter({ ...filter, words: target.value })}
      />
      <select
        className={styles['control']}
        aria-label="Outcome"
        value={filter.status}
        onChange={({ target }) => onFilter({ ...filter, status: target.value as LedgerFilter['status'] })}
      >
        <option value="all">All answers</option>
        <option value="granted">Allowed</option>
        <option value="denied">Denied</option>
        <option value="lapsed">Expired</option>
      </select>
      <select
        className={styles['control']}
        aria-label="Answered by"
        value={filter.by}
        onChange={({ target }) => onFilter({ ...filter, by: target.value as LedgerFilter['by'] })}
      >
        <option value="all">Anyone</option>
        <option value="person">You</option>
        <option value="rule">A rule</option>
        <option value="timeout">Timeout</option>
        <option value="server">Dragoman</option>
      </select>
    </div>
  )
}
