import { useMemo, useRef, useEffect, type KeyboardEvent, type ReactElement, type RefObject } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { agentTitle, useAgents } from '../agents/use-agents.ts'
import type { SessionFace } from '../session-summary/session-face.ts'
import { classNames } from '../ui/class-names.ts'
import { rescueFocus } from '../ui/rescue-focus.ts'
import { useRowFocus } from '../ui/use-row-focus.ts'
import { groupSessions, type SidebarRow } from './group-sessions.ts'
import styles from './session-list.module.css'
import { SessionRow } from './session-row.tsx'

/** Up to this many rows are all rendered; beyond that, only the visible ones. */
const plenty = 100

/** Sessions in groups. The arrows go from one to the next. */
export function SessionList({
  faces,
  here,
  now,
  end,
}: {
  readonly faces: readonly SessionFace[]
  /** The session that is open. */
  readonly here: string | null
  readonly now: number
  /** Content below the last session. */
  readonly end: ReactElement | null
}): ReactElement {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useRef<VirtualizerHandle>(null)
  const rows = useMemo(() => groupSessions(faces, now), [faces, now])
  useShown(
    scroller,
    virtual,
    here,
    rows.findIndex(row => row.kind === 'session' && row.face.id === here),
  )
  const ids = rows.flatMap(row => (row.kind === 'session' ? [row.face.id] : []))
  const focus = useRowFocus(scroller, ids, { pick: linkIn, otherwise: rescueFocus })
  const agents = useAgents()
  const shown = rows.map(row =>
    row.kind === 'group' ? (
      <Group key={keyOf(row)} row={row} />
    ) : (
      <SessionRow
        key={keyOf(row)}
        face={row.face}
        agent={agentTitle(agents, row.face.agent)}
        isHere={row.face.id === here}
      />
    ),
  )
  return (
    <div
      ref={scroller}
      className={classNames(styles['scroller'], 'awake')}
      data-scroller
      onKeyDown={move}
      {...focus}
    >
      {rows.length > plenty ? (
        <Virtualizer as="ul" item="li" scrollRef={scroller} ref={virtual}>
          {shown}
        </Virtualizer>
      ) : (
        <ul>
          {shown.map(row => (
            <li key={row.key}>{row}</li>
          ))}
        </ul>
      )}
      {end}
    </div>
  )
}

const linkIn = (row: HTMLElement) => row.querySelector<HTMLElement>('a[data-session]')

const keyOf = (row: SidebarRow) => (row.kind === 'group' ? `group ${row.name}` : row.face.id)

const Group = ({
  row: { name, count },
}: {
  readonly row: Extract<SidebarRow, { readonly kind: 'group' }>
}): ReactElement => (
  <h2 className={styles['group']}>
    {name}
    {name === 'Waiting for approval' && <span className={styles['count']}>{count}</span>}
  </h2>
)

/** Up, down, Home and End go from session to session. */
function move(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a[data-session]')]
  const here = links.indexOf(document.activeElement as HTMLElement)
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: here + 1,
    ArrowUp: here - 1,
    ...(here >= 0 && { Home: 0, End: links.length - 1 }),
  }
  const next = links[steps[event.key] ?? -1]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

/** Scrolls to the row of the open session when another one is opened, or when it appears in the list. */
function useShown(
  scroller: RefObject<HTMLElement | null>,
  virtual: RefObject<VirtualizerHandle | null>,
  here: string | null,
  /** Its row; below 0 while it is not listed. */
  at: number,
): void {
  const newest = useRef(at)
  useEffect(() => {
    newest.current = at
  })
  const isListed = at >= 0
  useEffect(() => {
    if (here === null || !isListed) return
    // A drawer opens after its content is mounted.
    const frame = requestAnimationFrame(() => {
      virtual.current?.scrollToIndex(newest.current, { align: 'nearest' })
      bringIn(scroller.current)
    })
    return () => cancelAnimationFrame(frame)
  }, [scroller, virtual, here, isListed])
}

/** Not by `scrollIntoView`, which may also scroll the elements around the list. */
function bringIn(scroller: HTMLElement | null): void {
  const row = scroller?.querySelector('[aria-current=page]')?.getBoundingClientRect()
  const frame = scroller?.getBoundingClientRect()
  if (!scroller || !row || !frame || (row.top >= frame.top && row.bottom <= frame.bottom)) return
  scroller.scrollTop += row.top - frame.top - (frame.height - row.height) / 2
}
