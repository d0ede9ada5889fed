import type { ReactElement } from 'react'
import type { Outgoing } from 'dragoman/client'
import { useClient, useReadable } from 'dragoman/react'
import { InertText } from '../safety/inert-text.tsx'
import { Badge } from '../ui/badge.tsx'
import { PlaceLink } from '../ui/place-link.tsx'
import styles from './welcome.module.css'

/** Prompts that this browser keeps because the server could not be asked yet. Nothing where there are none. */
export function Unsent(): ReactElement | null {
  const unsent = useReadable(useClient().outbox.items).filter(({ state }) => state === 'queued')
  if (unsent.length === 0) return null
  return (
    <section>
      <h2 className={styles['heading']}>Saved here until the server is back</h2>
      <ul className={styles['cards']}>
        {unsent.map(each => (
          <li key={each.id}>
            <PlaceLink to={{ page: 'session', session: each.session }} className={styles['card']}>
              <span className={styles['title']}>
                <InertText text={wordsOf(each)} />
              </span>
              <Badge tone="warn">Not sent yet</Badge>
            </PlaceLink>
          </li>
        ))}
      </ul>
    </section>
  )
}

const wordsOf = ({ parts }: Outgoing) =>
  parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join(' ') || 'Attachment'
