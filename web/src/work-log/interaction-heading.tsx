import type { ReactElement } from 'react'
import type { Session } from 'dragoman/client'
import { InertText } from '../safety/inert-text.tsx'
import { counted } from '../ui/amounts.ts'
import { inFull } from '../ui/moments.ts'
import { PlaceLink } from '../ui/place-link.tsx'
import { usePart } from '../ui/use-part.ts'
import type { WorkRow } from './arrange.ts'
import styles from './interaction-heading.module.css'
import { promptWords } from './prompt-words.ts'

/** The heading of an interaction's calls: its prompt, if loaded. */
export function InteractionHeading({
  session,
  row: { interaction, at, calls, failures },
}: {
  readonly session: Session
  readonly row: Extract<WorkRow, { readonly kind: 'interaction' }>
}): ReactElement {
  const words = usePart(session.state, ({ view }) =>
    interaction === null ? null : promptWords(view.messages.get(null) ?? [], interaction),
  )
  const title = words ?? (at === null ? 'Earlier' : inFull(at))
  return (
    <h2 className={styles['heading']}>
      {interaction === null ? (
        'Between turns'
      ) : (
        <PlaceLink to={{ page: 'session', session: session.id, interaction }}>
          <InertText text={title} />
        </PlaceLink>
      )}
      <span className={styles['count']}>
        {`${counted(calls, 'call')}${failures > 0 ? `, ${failures} failed` : ''}`}
      </span>
    </h2>
  )
}
