import { useId, type ReactElement, type ReactNode } from 'react'
import { inertString } from '../safety/inert-text.ts'
import { Button } from '../ui/button.tsx'
import { everything, isNarrowed, type SessionSearch } from './session-search.ts'
import styles from './session-filters.module.css'
import { useAgents } from '../agents/use-agents.ts'
import { useFolders } from './use-folders.ts'

interface SessionFiltersProps {
  readonly search: SessionSearch
  readonly onChange: (search: SessionSearch) => void
}

/** Separate lists: deleted sessions are in no other. */
const away = [
  ['archived', 'Archived sessions'],
  ['deleted', 'Deleted sessions'],
] as const

/** Filters besides the search text: agent, folder, archived or deleted. */
export function SessionFilters({ search, onChange }: SessionFiltersProps): ReactElement {
  const { agents } = useAgents()
  const folders = useFolders()
  return (
    <div className={styles['filters']} role="group" aria-label="Filter sessions">
      <Choice
        label="Agent"
        value={search.agent}
        any="Any agent"
        options={(agents ?? []).map(({ name, title }) => [name, title])}
        onChange={agent => onChange({ ...search, agent })}
      />
      <Choice
        label="Folder"
        value={search.folder}
        any="Any folder"
        options={folders.map(folder => [folder, inertString(folder)])}
        onChange={folder => onChange({ ...search, folder })}
      />
      {away.map(([kind, words]) => (
        <label key={kind} className={styles['away']}>
          <input
            type="checkbox"
            checked={search.away === kind}
            onChange={({ target }) => onChange({ ...search, away: target.checked ? kind : null })}
          />
          {words}
        </label>
      ))}
      {isNarrowed(search) && (
        <Button small kind="quiet" onClick={() => onChange(everything)}>
          Show all
        </Button>
      )}
    </div>
  )
}

function Choice({
  label,
  value,
  any,
  options,
  onChange,
}: {
  readonly label: string
  readonly value: string | null
  readonly any: string
  readonly options: readonly (readonly [value: string, words: ReactNode])[]
  readonly onChange: (value: string | null) => void
}): ReactElement {
  const id = useId()
  const isListed = value === null || options.some(([each]) => each === value)
  return (
    <>
      <label htmlFor={id} className={styles['label']}>
        {label}
      </label>
      <select
        id={id}
        className={styles['select']}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
      >
        <option value="">{any}</option>
        {!isListed && <option value={value}>{inertString(value)}</option>}
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </>
  )
}
