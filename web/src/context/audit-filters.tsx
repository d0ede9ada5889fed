import type { ReactElement } from 'react'
import styles from './interactions-view.module.css'

/** The filters of the audit; an empty text matches all. */
export interface AuditFilter {
  readonly kind: '' | keyof typeof kinds
  readonly actor: '' | keyof typeof actors
  readonly tool: string
}

/** Everything. */
export const anyAudit: AuditFilter = { kind: '', actor: '', tool: '' }

const kinds = { applied: 'Applied', rejected: 'Refused', 'rolled-back': 'Undone' } as const
const actors = { person: 'By you', policy: 'By a rule', tool: 'By a tool', model: 'By a model' } as const

/** The query for the server. */
export const queryOf = ({ kind, actor, tool }: AuditFilter) => ({
  ...(kind !== '' && { kind }),
  ...(actor !== '' && { actor }),
  ...(tool.trim() !== '' && { tool: tool.trim() }),
})

/** Filters for the audit. */
export const AuditFilters = ({
  filter,
  onChange,
}: {
  readonly filter: AuditFilter
  readonly onChange: (filter: AuditFilter) => void
}): ReactElement => (
  <div className={styles['filters']}>
    <select
      aria-label="Kind of change"
      value={filter.kind}
      onChange={({ target }) => onChange({ ...filter, kind: target.value as AuditFilter['kind'] })}
    >
      <option value="">All changes</option>
      {Object.entries(kinds).map(([name, words]) => (
        <option key={name} value={name}>
          {words}
        </option>
      ))}
    </select>
    <select
      aria-label="Changed by"
      value={filter.actor}
      onChange={({ target }) => onChange({ ...filter, actor: target.value as AuditFilter['actor'] })}
    >
      <option value="">By anyone</option>
      {Object.entries(actors).map(([name, words]) => (
        <option key={name} value={name}>
          {words}
        </option>
      ))}
    </select>
    <input
      type="search"
      aria-label="Tool"
      placeholder="Tool"
      value={filter.tool}
      onChange={({ target }) => onChange({ ...filter, tool: target.value })}
    />
  </div>
)
