import type { ReactElement } from 'react'
import { Menu as Lines, Plus } from 'lucide-react'
import { openNewSession } from '../sessions/new-session-door.ts'
import { useWaiting } from '../session-summary/use-faces.ts'
import { IconButton } from '../ui/button.tsx'
import { usePlaceName } from './page-name.ts'
import styles from './top-bar.module.css'

/** On a phone: where one is, and the way to the sessions. */
export function TopBar({ onSessions }: { readonly onSessions: () => void }): ReactElement {
  const name = usePlaceName()
  const waiting = useWaiting()
  return (
    <header className={styles['bar']}>
      <nav aria-label="Sessions">
        <IconButton
          label={waiting === 0 ? 'Open sessions' : `Open sessions, ${waiting} waiting for approval`}
          aria-haspopup="dialog"
          onClick={onSessions}
        >
          <Lines size={20} aria-hidden />
          {waiting > 0 && <span className={styles['dot']} aria-hidden />}
        </IconButton>
      </nav>
      <span className={styles['name']}>{name}</span>
      <IconButton label="New session" onClick={openNewSession}>
        <Plus size={20} aria-hidden />
      </IconButton>
    </header>
  )
}
