import { useDeferredValue, useMemo, useState, useEffect, type ReactElement } from 'react'
import { ChartColumn, Plus, ShieldQuestion, Keyboard, Moon, Search, Settings, Sun, X } from 'lucide-react'
import { runCommand } from '../keyboard/command.ts'
import { usePlace, type Place } from '../places.ts'
import { useWaiting } from '../session-summary/use-faces.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { PlaceLink } from '../ui/place-link.tsx'
import { useTheme } from '../ui/theme.ts'
import { useKept } from '../ui/use-kept.ts'
import { useMedia } from '../ui/use-media.ts'
import { FoundSessions } from './found-sessions.tsx'
import { openNewSession } from './new-session-door.ts'
import { SearchBox } from './search-box.tsx'
import { SearchResults } from './search-results.tsx'
import { SessionFilters } from './session-filters.tsx'
import { everything } from './session-search.ts'
import styles from './sidebar.module.css'

/** All sessions, and the way to the other pages; in a drawer with a button that closes it. */
export function Sidebar({
  edge = null,
  onClose,
}: {
  /** What changes its width. */
  readonly edge?: ReactElement | null
  readonly onClose?: () => void
}): ReactElement {
  const [search, change] = useState(everything)
  const [isOpen, open] = useState(false)
  const [kept, group] = useKept('groups', 'time')
  const by = kept === 'project' ? 'project' : 'time'
  const words = useSettled(search.words, 200)
  const settled = useDeferredValue(useMemo(() => ({ ...search, words }), [search, words]))
  return (
    <nav aria-label="Sessions" className={styles['sidebar']}>
      <header className={styles['top']}>
        <PlaceLink to={{ page: 'welcome' }} className={styles['brand']}>
          Dragoman
        </PlaceLink>
        <Button kind="primary" onClick={openNewSession}>
          <Plus size={16} aria-hidden />
          New session
        </Button>
        {onClose && (
          <IconButton label="Close" onClick={onClose}>
            <X size={18} aria-hidden />
          </IconButton>
        )}
      </header>
      <SearchBox
        search={search}
        isOpen={isOpen}
        by={by}
        onGroup={group}
        onWords={typed => change({ ...search, words: typed })}
        onToggle={() => open(!isOpen)}
      />
      {isOpen && <SessionFilters search={search} onChange={change} />}
      <FoundSessions search={settled} by={by} onShowAll={() => change(everything)} />
      <SearchResults search={settled} />
      <OtherPages />
      {edge}
    </nav>
  )
}

function OtherPages(): ReactElement {
  const { page } = usePlace()
  const waiting = useWaiting()
  const link = (to: Place, icon: ReactElement, words: string, more: ReactElement | null = null) => (
    <PlaceLink to={to} className={styles['page']} aria-current={page === to.page ? 'page' : undefined}>
      {icon}
      {words}
      {more}
    </PlaceLink>
  )
  return (
    <div className={styles['pages']}>
      {link(
        { page: 'approvals' },
        <ShieldQuestion size={16} aria-hidden />,
        'Approvals',
        waiting === 0 ? null : <Badge tone="warn">{`${waiting} waiting`}</Badge>,
      )}
      <div className={styles['last']}>
        {link({ page: 'dashboard' }, <ChartColumn size={16} aria-hidden />, 'Dashboard')}
        <PlaceLink
          to={{ page: 'settings' }}
          className={classNames(styles['page'], styles['icon'])}
          aria-label="Settings"
          title="Settings"
          aria-current={page === 'settings' ? 'page' : undefined}
        >
          <Settings size={16} aria-hidden />
        </PlaceLink>
        <HouseButtons />
      </div>
    </div>
  )
}

/** Buttons for the global shortcuts: the palette, the theme and the shortcut list. */
function HouseButtons(): ReactElement {
  const { theme } = useTheme()
  const hasKeys = useMedia('(hover: hover)')
  return (
    <>
      <IconButton label="Find a command" onClick={() => runCommand('palette')}>
        <Search size={16} aria-hidden />
      </IconButton>
      <IconButton
        label={theme === 'dark' ? 'Switch to light theme' : 'Switch to dark theme'}
        onClick={() => runCommand('theme-other')}
      >
        {theme === 'dark' ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}
      </IconButton>
      {hasKeys && (
        <IconButton label="Keyboard shortcuts" onClick={() => runCommand('keys')}>
          <Keyboard size={16} aria-hidden />
        </IconButton>
      )}
    </>
  )
}

/** A value after it has not changed for a while; an empty value applies at once. */
function useSettled(value: string, ms: number): string {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), value === '' ? 0 : ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
