import { useEffect, useRef, type ReactElement } from 'react'
import { VList, type VListHandle } from 'virtua'
import type { Session } from 'dragoman/client'
import type { InspectTarget } from '../inspector/target.ts'
import type { WorkRow as Row } from './arrange.ts'
import { WorkRow } from './work-row.tsx'
import { classNames } from '../ui/class-names.ts'
import styles from './work-timeline.module.css'
import { InertText } from '../safety/inert-text.tsx'
import { counted } from '../ui/amounts.ts'
import { inFull } from '../ui/moments.ts'
import { PlaceLink } from '../ui/place-link.tsx'
import { usePart } from '../ui/use-part.ts'
import interactionHeading from './interaction-heading.module.css'
import { promptWords } from './prompt-words.ts'

/** The props of the timeline. */
export interface WorkTimelineProps {
  readonly session: Session
  readonly folder: string | null
  readonly rows: readonly Row[]
  readonly open: ReadonlySet<string>
  readonly onToggle: (key: string) => void
  readonly onInspect: (target: InspectTarget) => void
}

/** The calls in order; it follows the newest until the user scrolls up. */
export function WorkTimeline(props: WorkTimelineProps): ReactElement {
  const { session, folder, rows, open, onToggle, onInspect } = props
  const list = useRef<VListHandle>(null)
  const isAtEnd = useRef(true)
  const count = rows.length
  useEffect(() => {
    if (isAtEnd.current) list.current?.scrollToIndex(count - 1, { align: 'end' })
  }, [count])
  const look = (offset: number) => {
    const { scrollSize = 0, viewportSize = 0 } = list.current ?? {}
    isAtEnd.current = offset + viewportSize > scrollSize - 40
  }
  return (
    <VList
      ref={list}
      className={classNames(styles['timeline'], 'awake')}
      data={rows}
      itemSize={40}
      onScroll={look}
    >
      {(row: Row) =>
        row.kind === 'interaction' ? (
          <InteractionHeading key={row.key} session={session} row={row} />
        ) : (
          <WorkRow
            key={row.key}
            session={session.id}
            folder={folder}
            entry={row.entry}
            depth={row.depth}
            isOpen={open.has(row.key)}
            onToggle={onToggle}
            onInspect={onInspect}
          />
        )
      }
    </VList>
  )
}

/** The heading of an interaction's calls: its prompt, if loaded. */
function InteractionHeading({
  session,
  row: { interaction, at, calls, failures },
}: {
  readonly session: Session
  readonly row: Extract<Row, { readonly kind: 'interaction' }>
}): ReactElement {
  const words = usePart(session.state, ({ view }) =>
    interaction === null ? null : promptWords(view.messages.get(null) ?? [], interaction),
  )
  const title = words ?? (at === null ? 'Earlier' : inFull(at))
  return (
    <h2 className={interactionHeading['heading']}>
      {interaction === null ? (
        'Between turns'
      ) : (
        <PlaceLink to={{ page: 'session', session: session.id, interaction }}>
          <InertText text={title} />
        </PlaceLink>
      )}
      <span className={interactionHeading['count']}>
        {`${counted(calls, 'call')}${failures > 0 ? `, ${failures} failed` : ''}`}
      </span>
    </h2>
  )
}
