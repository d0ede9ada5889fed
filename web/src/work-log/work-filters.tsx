import type { ReactElement } from 'react'
import type { WorkLogEntry } from 'dragoman/client/work-log'
import { namesOf, type WorkFilter } from './arrange.ts'
import styles from './work-filters.module.css'

const outcomes = { success: 'Done', failure: 'Failed', partial: 'Partly done', pending: 'Running' }

/** Which lines are shown. */
export function WorkFilters({
  entries,
  filter,
  onChange,
}: {
  readonly entries: readonly WorkLogEntry[]
  readonly filter: WorkFilter
  readonly onChange: (filter: WorkFilter) => void
}): ReactElement {
  return (
    <div className={styles['filters']} role="search" aria-label="Search the work log">
      <input
        type="search"
        aria-label="Search the work log"
        placeholder="Search…"
        value={filter.text}
        onChange={({ target }) => onChange({ ...filter, text: target.value })}
      />
      <Choice
        label="Outcome"
        any="Any outcome"
        value={filter.outcome}
        names={outcomes}
        onChange={outcome => onChange({ ...filter, outcome })}
      />
      <Choice
        label="Tool"
        any="Any tool"
        value={filter.tool}
        names={named(namesOf(entries, 'tool'))}
        onChange={tool => onChange({ ...filter, tool })}
      />
      <Choice
        label="Effect"
        any="Any effect"
        value={filter.effect}
        names={named(namesOf(entries, 'effect'))}
        onChange={effect => onChange({ ...filter, effect })}
      />
    </div>
  )
}

const named = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, name]))

function Choice({
  label,
  any,
  value,
  names,
  onChange,
}: {
  readonly label: string
  readonly any: string
  readonly value: string
  readonly names: Readonly<Record<string, string>>
  readonly onChange: (value: string) => void
}): ReactElement {
  return (
    <select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{any}</option>
      {Object.entries(names).map(([name, words]) => (
        <option key={name} value={name}>
          {words}
        </option>
      ))}
    </select>
  )
}
