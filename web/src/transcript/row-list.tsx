import { useLayoutEffect, useRef, type ReactElement } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { countAfter } from './new-rows.ts'
import { homeKey, leadHomeTo, type HomeNow } from './home-key.ts'
import { JumpButton } from './jump-button.tsx'
import { OlderNote } from './older-note.tsx'
import type { Row } from './row.ts'
import { canShift } from '../ui/can-shift.ts'
import { classNames } from '../ui/class-names.ts'
import styles from './row-list.module.css'
import { RowView } from './row-view.tsx'
import { useFollowEnd } from './use-follow-end.ts'
import { useKeptRow } from './use-kept-row.ts'
import { useLead } from './use-lead.ts'
import { useOlder } from './use-older.ts'
import { usePageKeys } from './use-page-keys.ts'
import { usePlaces } from './use-places.ts'
import { usePromptCommands } from './use-prompt-commands.ts'
import { useStage } from './use-stage.ts'

const margin = 16

/** What a list of rows is given. */
export interface RowListProps {
  readonly rows: readonly Row[]
  /** Null when there are no older messages. */
  readonly loadOlder: ((count: number) => Promise<unknown>) | null
  /** The row that somebody is to be led to; another object leads there again. */
  readonly wanted: { readonly key: string } | null
}

/** The rows that can be seen, of however many there are. */
export function RowList({ rows, loadOlder, wanted }: RowListProps): ReactElement {
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const { rows: shown, isShift, scrollEnded } = useStage(rows, scroller)
  const end = useFollowEnd(scroller, shown)
  const older = useOlder(scroller, shown, loadOlder)
  const placeOf = usePlaces(list, shown, margin)
  useLead(scroller, placeOf, wanted, end.letGo)
  usePromptCommands({ list, scroller, placeOf }, shown, end.letGo)
  const home = useRef<HomeNow>({ place: () => null, hasOlder: false })
  useLayoutEffect(() => {
    const [first] = shown
    const hasOlder = loadOlder !== null && typeof older.state === 'string'
    home.current = { place: () => (first === undefined ? null : placeOf(first.key)), hasOlder }
  })
  const leadHome = leadHomeTo(home, margin, end.letGo)
  usePageKeys(scroller, leadHome)
  const kept = useKeptRow(shown)
  const scrolled = () => {
    end.scrolled()
    older.look()
  }
  return (
    <div className={styles['frame']}>
      <h2 className="unseen">Conversation</h2>
      <div
        ref={scroller}
        className={classNames(styles['scroller'], 'awake')}
        role="log"
        aria-label="Transcript"
        aria-live="off"
        tabIndex={0}
        onKeyDown={homeKey(leadHome)}
        onFocus={kept.onFocus}
        onBlur={kept.onBlur}
      >
        <div className={styles['before']} />
        <Virtualizer
          ref={list}
          scrollRef={scroller}
          data={shown}
          shift={isShift && canShift(list.current)}
          startMargin={margin}
          bufferSize={600}
          keepMounted={kept.indexes}
          onScroll={scrolled}
          onScrollEnd={scrollEnded}
          onResize={end.resized}
        >
          {drawRow}
        </Virtualizer>
        <div className={styles['after']} />
      </div>
      <OlderNote state={older.state} loaded={older.loaded} onRetry={older.load} />
      {!end.isFollowing && <JumpButton count={countAfter(shown, end.seen)} onJump={end.toEnd} />}
    </div>
  )
}

const drawn = new WeakMap<Row, ReactElement>()

/** The same element for the same row, so that nothing of it is looked at again. */
function drawRow(row: Row): ReactElement {
  const element = drawn.get(row) ?? <RowView key={row.key} row={row} />
  drawn.set(row, element)
  return element
}
