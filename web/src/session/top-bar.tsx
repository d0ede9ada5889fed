import { useEffect, useState, type ReactElement } from 'react'
import { Menu as Lines, Plus } from 'lucide-react'
import { useClient } from 'dragoman/react'
import { usePlace } from '../places.ts'
import { openNewSession, useNewSessionOpen } from '../sessions/new-session-door.ts'
import { Sidebar } from '../sessions/sidebar.tsx'
import { useFaces, useWaiting } from '../sessions/use-faces.ts'
import { IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { usePlaceName } from './page-name.ts'
import styles from './top-bar.module.css'

/** On a phone: where one is, and the drawer with the sessions. */
export function TopBar(): ReactElement {
  const place = usePlace()
  const name = usePlaceName()
  const isAsked = useNewSessionOpen()
  const waiting = useWaiting()
  // Kept up to date, so that the drawer has it at once.
  useFaces(useClient().sessions())
  const [isOpen, open] = useState(false)
  // Whoever chose something in the drawer wants to see it.
  useEffect(() => open(false), [place, isAsked])
  return (
    <>
      <header className={styles['bar']}>
        <IconButton
          label={waiting === 0 ? 'Open the sessions' : `Open the sessions, ${waiting} waiting for you`}
          aria-haspopup="dialog"
          onClick={() => open(true)}
        >
          <Lines size={20} aria-hidden />
          {waiting > 0 && <span className={styles['dot']} aria-hidden />}
        </IconButton>
        <span className={styles['name']}>{name}</span>
        <IconButton label="New session" onClick={openNewSession}>
          <Plus size={20} aria-hidden />
        </IconButton>
      </header>
      <Dialog open={isOpen} title="Sessions" shape="left" onClose={() => open(false)}>
        <Sidebar />
      </Dialog>
    </>
  )
}
