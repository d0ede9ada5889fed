import { useMemo, useRef, useEffect, type ReactElement, type RefObject } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { agentTitle, useAgents } from '../agents/use-agents.ts'
import type { SessionFace } from '../session-summary/session-face.ts'
import { classNames } from '../ui/class-names.ts'
import { ago } from '../ui/moments.ts'
import { rescueFocus } from '../ui/rescue-focus.ts'
import { useKept } from '../ui/use-kept.ts'
import { useRowFocus } from '../ui/use-row-focus.ts'
import { GroupHeading } from './group-heading.tsx'
import { groupSessions, type Grouping, type SidebarRow } from './group-sessions.ts'
import styles from './session-list.module.css'
import { SessionRow } from './session-row.tsx'
import { useListStop } from './use-list-stop.ts'

/** Up to this many rows are all rendered; beyond that, only the visible ones. */
const plenty = 100

/** Sessions in groups: one stop of the Tab key, in which the arrows go from row to row. */
export function SessionList({
  faces,
  here,
  now,
  by = 'time',
  end,
}: {
  readonly faces: readonly SessionFace[]
  /** The session that is open. */
  readonly here: string | null
  readonly now: number
  readonly by?: Grouping
  /** Content below the last session. */
  readonly end: ReactElement | null
}): ReactElement {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useRef<VirtualizerHandle>(null)
  const { folded, toggle } = useFolded()
  const rows = useMemo(() => groupSessions(faces, { by, now, folded }), [faces, by, now, folded])
  const isOpen = (row: SidebarRow) => row.kind === 'session' && row.face.id === here
  useShown(scroller, virtual, here, rows.findIndex(isOpen))
  const keys = useMemo(() => rows.map(stopOf), [rows])
  const focus = useRowFocus(scroller, keys.filter(isKey), { pick: linkIn, otherwise: rescueFocus })
  const stop = useListStop(scroller, virtual, keys, here)
  const agents = useAgents()
  const shown = rows.map((row, index) =>
    row.kind === 'group' ? (
      <GroupHeading
        key={`group ${row.id}`}
        group={row}
        isStop={keys[index] !== null && keys[index] === stop.key}
        onToggle={toggle}
      />
    ) : (
      <SessionRow
        key={row.face.id}
        face={row.face}
        agent={agentTitle(agents, row.face.agent)}
        age={ago(row.face.createdAt, now)}
        isHere={isOpen(row)}
        isStop={row.face.id === stop.key}
        hasProject={by === 'time' || row.face.pinned || row.face.standing === 'waiting'}
      />
    ),
  )
  return (
    <div
      ref={scroller}
      className={classNames(styles['scroller'], 'awake')}
      data-scroller
      onKeyDown={stop.onKeyDown}
      {...focus}
      onFocus={event => {
        focus.onFocus(event)
        stop.onFocus(event)
      }}
    >
      {rows.length > plenty ? (
        <Virtualizer as="ul" item="li" scrollRef={scroller} ref={virtual} keepMounted={stop.kept}>
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

const linkIn = (row: HTMLElement) => row.querySelector<HTMLElement>('[data-stop]')

/** What the focus stops at: a session, or a project, which can be folded. Other headings are only text. */
const stopOf = (row: SidebarRow): string | null =>
  row.kind === 'session' ? row.face.id : row.folder === null ? null : `group ${row.id}`

const isKey = (key: string | null) => key !== null

/** A browser does not keep more folded projects than this. */
const mostFolded = 200

/** The projects whose sessions are not listed; this browser keeps them. */
function useFolded() {
  const [kept, keep] = useKept('folded-projects', '')
  const folded = useMemo(() => new Set(kept.split('\n').filter(Boolean)), [kept])
  const toggle = (id: string) => {
    const next = folded.has(id) ? [...folded].filter(each => each !== id) : [...folded, id]
    keep(next.slice(-mostFolded).join('\n'))
  }
  return { folded, toggle }
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
