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
    <div className={styles['filters']} role="search" aria-label="Past questions">
      <input
        type="search"
        className={styles['control']}
        aria-label="Find in questions"
        placeholder="Tool, command or session"
        value={filter.words}
        onChange={({ target }) => onFilter({ ...filter, words: target.value })}
      />
      <select
        className={styles['control']}
        aria-label="How it was answered"
        value={filter.status}
        onChange={({ target }) => onFilter({ ...filter, status: target.value as LedgerFilter['status'] })}
      >
        <option value="all">All answers</option>
        <option value="granted">Allowed</option>
        <option value="denied">Denied</option>
        <option value="lapsed">Lapsed</option>
      </select>
      <select
        className={styles['control']}
        aria-label="Who answered"
        value={filter.by}
        onChange={({ target }) => onFilter({ ...filter, by: target.value as LedgerFilter['by'] })}
      >
        <option value="all">By anybody</option>
        <option value="person">By a person</option>
        <option value="rule">By a rule</option>
        <option value="timeout">By the clock</option>
        <option value="server">By Dragoman</option>
      </select>
    </div>
  )
}
