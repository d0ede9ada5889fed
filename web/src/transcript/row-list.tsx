import { useLayoutEffect, useRef, useEffect, type ReactElement, type RefObject } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { ArrowDown } from 'lucide-react'
import { useCommands } from '../keyboard/command.ts'
import { keyed } from '../keyboard/key-table.ts'
import { markBelow } from '../search/mark-words.ts'
import { short } from '../ui/amounts.ts'
import { Button } from '../ui/button.tsx'
import { canShift } from '../ui/can-shift.ts'
import { classNames } from '../ui/class-names.ts'
import { isFocusNowhere } from '../ui/rescue-focus.ts'
import floatingStyles from './floating.module.css'
import { homeKey, leadHomeTo, isHome, type HomeNow, type LeadHome } from './home-key.ts'
import { leadTo } from './lead-to.ts'
import { countAfter } from './new-rows.ts'
import styles from './row-list.module.css'
import { RowView } from './row-view.tsx'
import type { Row } from './row.ts'
import { useFollowEnd } from './use-follow-end.ts'
import { useKeptRow } from './use-kept-row.ts'
import { useNearFooter } from './use-near-footer.ts'
import { useOlder, type Older } from './use-older.ts'
import { usePlaces, type PlaceOf } from './use-places.ts'
import { usePromptCommands } from './use-prompt-commands.ts'
import { useStage } from './use-stage.ts'

const margin = 16

/** The props of a list of rows. */
export interface RowListProps {
  readonly rows: readonly Row[]
  /** Null when there are no older messages. */
  readonly loadOlder: ((count: number) => Promise<unknown>) | null
  /** The row to scroll to; a new object scrolls again. */
  readonly wanted: { readonly key: string } | null
}

/** A virtual list of rows. */
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
  useCommands([
    { ...keyed('first'), run: () => void (scroller.current !== null && leadHome(scroller.current)) },
  ])
  const kept = useKeptRow(shown)
  useNearFooter(scroller)
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

/** The same element for the same row, so that React skips it. */
function drawRow(row: Row): ReactElement {
  const element = drawn.get(row) ?? <RowView key={row.key} row={row} />
  drawn.set(row, element)
  return element
}

/** Jumps to the newest message, and shows how many are new. */
function JumpButton({
  count,
  onJump,
}: {
  readonly count: number
  readonly onJump: () => void
}): ReactElement {
  useCommands([{ ...keyed('latest'), run: onJump }])
  return (
    <div className={floatingStyles['bottom']}>
      <Button className={floatingStyles['pill']} onClick={onJump}>
        <ArrowDown size={16} aria-hidden />
        Jump to latest
        {count > 0 && (
          <span className={floatingStyles['count']}>{`${count > 999 ? '999+' : count} new`}</span>
        )}
      </Button>
    </div>
  )
}

/** Loading more messages than this shows progress. */
const many = 300

/** Shows that older messages are loading, or why they can't be loaded. */
function OlderNote({
  state,
  loaded,
  onRetry,
}: {
  readonly state: Older['state']
  readonly loaded: number
  readonly onRetry: () => void
}): ReactElement | null {
  if (state === 'idle') return null
  return (
    <div className={floatingStyles['top']}>
      <div className={floatingStyles['note']} role="status">
        {state === 'loading' ? (
          `Loading earlier messages…${loaded > many ? ` ${short(loaded)} so far` : ''}`
        ) : (
          <>
            {`Couldn’t load earlier messages. ${state.problem}`}
            <Button small onClick={onRetry}>
              Try again
            </Button>
          </>
        )}
      </div>
    </div>
  )
}

/** How long a linked row is kept in its place at least: other rows may be added before it. */
const settleMs = 1500
/** How much above the row stays visible. */
const above = 96

/** Leads to a row, and stays there while the list settles, unless the person does something. */
function useLead(
  scroller: RefObject<HTMLElement | null>,
  placeOf: PlaceOf,
  wanted: { readonly key: string } | null,
  letGo: () => void,
): void {
  useEffect(() => {
    if (wanted === null || scroller.current === null) return
    letGo()
    const element = scroller.current
    const placeNow = () => {
      const place = placeOf(wanted.key)
      const below = place === null ? null : markBelow(element, wanted.key)
      // In a long row, what was found in it is shown.
      const isFar = below !== null && below > element.clientHeight / 2
      return isFar && place !== null ? place + below - element.clientHeight / 4 : place
    }
    return leadTo(element, placeNow, { above, leastMs: settleMs })
  }, [wanted, scroller, placeOf, letGo])
}

const keys = new Set(['PageUp', 'PageDown', 'Home', 'End'])

/**
 * Pressing such a key before anything has the focus is meant for the conversation: focus it, so that the browser
 * handles the key. That key event has passed, so its effect is applied here.
 */
function usePageKeys(scroller: RefObject<HTMLElement | null>, leadHome: LeadHome): void {
  const newest = useRef(leadHome)
  useEffect(() => {
    newest.current = leadHome
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const element = scroller.current
      const isFree =
        (isFocusNowhere() || document.activeElement?.id === 'main') &&
        document.querySelector('dialog[open]') === null
      if (element === null || !isFree || !keys.has(event.key)) return
      element.focus({ preventScroll: true })
      if (isHome(event) && newest.current(element)) event.preventDefault()
    }
    window.addEventListener('keydown', press, true)
    return () => window.removeEventListener('keydown', press, true)
  }, [scroller])
}
