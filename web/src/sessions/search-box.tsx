import type { KeyboardEvent, ReactElement } from 'react'
import { CalendarDays, Folders, ListFilter, Search } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import styles from './search-box.module.css'
import type { Grouping } from './group-sessions.ts'
import { narrowings, type SessionSearch } from './session-search.ts'

/** Searches sessions, and opens the filters. Enter opens the first result. */
export function SearchBox({
  search,
  isOpen,
  by,
  onWords,
  onToggle,
  onGroup,
}: {
  readonly search: SessionSearch
  /** Whether the filters are open. */
  readonly isOpen: boolean
  /** How the list is grouped. */
  readonly by: Grouping
  readonly onWords: (words: string) => void
  readonly onToggle: () => void
  readonly onGroup: (by: Grouping) => void
}): ReactElement {
  const count = narrowings(search)
  return (
    <div className={styles['search']} role="search">
      <Search size={16} aria-hidden className={styles['glass']} />
      <input
        type="search"
        className={styles['field']}
        aria-label="Search sessions"
        placeholder="Search sessions"
        data-search-sessions
        value={search.words}
        maxLength={1000}
        onChange={({ target }) => onWords(target.value)}
        onKeyDown={goOn}
      />
      <IconButton
        label={count === 0 ? 'Filter' : `Filter (${count} active)`}
        aria-expanded={isOpen}
        className={count > 0 ? styles['used'] : undefined}
        onClick={onToggle}
      >
        <ListFilter size={16} aria-hidden />
      </IconButton>
      <IconButton
        label={by === 'time' ? 'Group by project' : 'Group by time'}
        onClick={() => onGroup(by === 'time' ? 'project' : 'time')}
      >
        {by === 'time' ? <Folders size={16} aria-hidden /> : <CalendarDays size={16} aria-hidden />}
      </IconButton>
    </div>
  )
}

/** Down or Enter leads to the first session of the list, which may have to be scrolled to. */
function goOn(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.nativeEvent.isComposing || (event.key !== 'ArrowDown' && event.key !== 'Enter')) return
  event.preventDefault()
  const { key, currentTarget } = event
  const nav = currentTarget.closest('nav')
  const scroller = nav?.querySelector('[data-scroller]')
  const go = () => {
    const first = nav?.querySelector<HTMLElement>('a[data-session]')
    first?.focus()
    if (key === 'Enter') first?.click()
  }
  if (!scroller || scroller.scrollTop === 0) return go()
  scroller.scrollTo(0, 0)
  requestAnimationFrame(() => requestAnimationFrame(go))
}
