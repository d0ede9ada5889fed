import type { ReactElement } from 'react'
import type { Client } from 'dragoman/client'
import { InertText } from '../safety/inert-text.tsx'
import { nameOf, type SessionFace } from '../session-summary/session-face.ts'
import { standingWords } from '../session-summary/session-status.ts'
import { useFaces } from '../session-summary/use-faces.ts'
import { PlaceLink } from '../ui/place-link.tsx'
import styles from './sessions-at-work.module.css'

/** Links to the sessions that use the slots another session waits for; sessions waiting for approval come first. */
export function SessionsAtWork({
  client,
  waiting,
}: {
  readonly client: Client
  /** The queued session. */
  readonly waiting: string
}): ReactElement | null {
  const faces = useFaces(client.running)
    .filter(face => face.id !== waiting && rankOf(face) > 0)
    .toSorted((one, other) => rankOf(other) - rankOf(one))
  if (faces.length === 0) return null
  return (
    <ul className={styles['sessions']} aria-label="Running sessions">
      {faces.map(face => (
        <li key={face.id} className={styles['session']}>
          <PlaceLink to={{ page: 'session', session: face.id }} className={styles['link']}>
            <InertText text={nameOf(face)} />
          </PlaceLink>
          <span className={styles['standing']}>{standingWords[face.standing]}</span>
        </li>
      ))}
    </ul>
  )
}

/** 0 means no slot. */
const rankOf = ({ standing }: SessionFace) => (standing === 'waiting' ? 2 : Number(standing === 'running'))
