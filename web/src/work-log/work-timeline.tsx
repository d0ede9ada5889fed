import { useEffect, useRef, type ReactElement } from 'react'
import { VList, type VListHandle } from 'virtua'
import type { Session } from 'dragoman/client'
import type { InspectTarget } from '../inspector/target.ts'
import type { WorkRow as Row } from './arrange.ts'
import { InteractionHeading } from './interaction-heading.tsx'
import { WorkRow } from './work-row.tsx'
import { classNames } from '../ui/class-names.ts'
import styles from './work-timeline.module.css'

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
