import type { ReactElement } from 'react'
import { InertText } from '../safety/inert-text.tsx'
import { folderName } from '../session-summary/folders.ts'
import { openNewSession } from '../sessions/new-session-door.ts'
import { nameOf, type SessionFace } from '../session-summary/session-face.ts'
import { StatusBadge } from '../session-summary/status-dot.tsx'
import { agentTitle, useAgents } from '../agents/use-agents.ts'
import { Button } from '../ui/button.tsx'
import { PlaceLink } from '../ui/place-link.tsx'
import { DemoButton } from './demo-button.tsx'
import styles from './welcome.module.css'

const most = 8

/** For returning users: sessions that wait for approval, run, or were used last. */
export function Recent({ faces }: { readonly faces: readonly SessionFace[] }): ReactElement {
  const agents = useAgents()
  const shown = faces.toSorted((one, other) => rank(one) - rank(other)).slice(0, most)
  return (
    <section className={styles['recent']}>
      <h1 className={styles['name']}>Welcome back</h1>
      <div className={styles['actions']}>
        <Button kind="primary" onClick={openNewSession}>
          Start a session
        </Button>
        <DemoButton />
      </div>
      <h2 className={styles['heading']}>Recent sessions</h2>
      <ul className={styles['cards']}>
        {shown.map(face => (
          <li key={face.id}>
            <PlaceLink to={{ page: 'session', session: face.id }} className={styles['card']}>
              <span className={styles['title']}>
                <InertText text={nameOf(face)} />
              </span>
              <span className={styles['about']}>
                <InertText text={`${agentTitle(agents, face.agent)} · ${folderName(face.cwd)}`} />
              </span>
              <StatusBadge standing={face.standing} />
            </PlaceLink>
          </li>
        ))}
      </ul>
    </section>
  )
}

const rank = ({ standing }: SessionFace) => (standing === 'waiting' ? 0 : standing === 'running' ? 1 : 2)
