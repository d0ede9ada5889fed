import type { ReactElement } from 'react'
import styles from './interactions-view.module.css'

/** Which lines of the audit are shown; an empty text asks for all. */
export interface AuditFilter {
  readonly kind: '' | keyof typeof kinds
  readonly actor: '' | keyof typeof actors
  readonly tool: string
}

/** Everything. */
export const anyAudit: AuditFilter = { kind: '', actor: '', tool: '' }

const kinds = { applied: 'done', rejected: 'refused', 'rolled-back': 'taken back' } as const
const actors = { person: 'by a person', policy: 'by a rule', tool: 'by a tool', model: 'by a model' } as const

/** What the server is asked for. */
export const queryOf = ({ kind, actor, tool }: AuditFilter) => ({
  ...(kind !== '' && { kind }),
  ...(actor !== '' && { actor }),
  ...(tool.trim() !== '' && { tool: tool.trim() }),
})

/** What of the audit somebody wants to see. */
export const AuditFilters = ({
  filter,
  onChange,
}: {
  readonly filter: AuditFilter
  readonly onChange: (filter: AuditFilter) => void
}): ReactElement => (
  <div className={styles['filters']}>
    <select
      aria-label="What was done"
      value={filter.kind}
      onChange={({ target }) => onChange({ ...filter, kind: target.value as AuditFilter['kind'] })}
    >
      <option value="">all</option>
      {Object.entries(kinds).map(([name, words]) => (
        <option key={name} value={name}>
          {words}
        </option>
      ))}
    </select>
    <select
      aria-label="By whom"
      value={filter.actor}
      onChange={({ target }) => onChange({ ...filter, actor: target.value as AuditFilter['actor'] })}
    >
      <option value="">by anyone</option>
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
