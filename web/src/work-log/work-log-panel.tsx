import { useCallback, useMemo, useState, type ReactElement } from 'react'
import type { Session } from 'dragoman/client'
import { followWorkLog, type FollowedWorkLog, type WorkLogEntry } from 'dragoman/client/work-log'
import { useClient, useReadable } from 'dragoman/react'
import type { InspectTarget } from '../inspector/target.ts'
import { Button } from '../ui/button.tsx'
import { Empty, Loading } from '../ui/empty.tsx'
import { NotRead } from '../ui/not-read.tsx'
import { toastError } from '../ui/toast.ts'
import { anyWork, filterWork, rowsOf, totalsOf, withOlder } from './arrange.ts'
import { WorkFilters } from './work-filters.tsx'
import styles from './work-log-panel.module.css'
import { WorkTimeline } from './work-timeline.tsx'
import { WorkTotals } from './work-totals.tsx'

/** The tool calls of a session, live. */
export function WorkLogPanel({
  session,
  onInspect,
}: {
  readonly session: Session
  readonly onInspect: (target: InspectTarget) => void
}): ReactElement {
  const client = useClient()
  const log = useMemo(() => followWorkLog(client, session.id), [client, session.id])
  const live = useReadable(log)
  const folder = useReadable(session.facts)?.cwd ?? null
  const { older, isLoading, hasMore, load } = useOlderWork(session.id)
  const [filter, setFilter] = useState(anyWork)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const entries = useMemo(() => withOlder(older, live), [older, live])
  const shown = useMemo(() => filterWork(entries, filter), [entries, filter])
  const rows = useMemo(() => rowsOf(shown), [shown])
  const toggle = useCallback((key: string) => setOpen(before => toggled(before, key)), [])
  if (entries.length === 0) return <NoWork log={log} />
  return (
    <section className={styles['panel']} aria-label="Work log">
      <Trouble log={log} />
      <WorkTotals totals={totalsOf(shown)} isPart={shown !== entries} />
      <WorkFilters entries={entries} filter={filter} onChange={setFilter} />
      {hasMore && entries.length >= followed && (
        <Button small kind="quiet" disabled={isLoading} onClick={load}>
          {isLoading ? 'Loading…' : 'Earlier calls'}
        </Button>
      )}
      {rows.length === 0 ? (
        <Empty title="No results">
          <Button onClick={() => setFilter(anyWork)}>Show all</Button>
        </Empty>
      ) : (
        <WorkTimeline
          session={session}
          folder={folder}
          rows={rows}
          open={open}
          onToggle={toggle}
          onInspect={onInspect}
        />
      )}
    </section>
  )
}

/** The empty state: shows "No tool calls yet" only after loading. */
function NoWork({ log }: { readonly log: FollowedWorkLog }): ReactElement {
  const isLoading = useReadable(log.loading)
  const problem = useReadable(log.problem)
  if (problem !== null) return <Trouble log={log} />
  if (isLoading) return <Loading what="the work log" />
  return <Empty title="No tool calls yet">Every tool call of the agent is listed here.</Empty>
}

function Trouble({ log }: { readonly log: FollowedWorkLog }): ReactElement | null {
  const problem = useReadable(log.problem)
  return problem === null ? null : <NotRead what="earlier calls" problem={problem} onAgain={log.again} />
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys)
  if (!next.delete(key)) next.add(key)
  return next
}

/** How many lines are followed; there may be older ones. */
const followed = 500

/** Lines from before those that are followed, a page at a time. */
function useOlderWork(session: string): {
  readonly older: readonly WorkLogEntry[]
  readonly isLoading: boolean
  readonly hasMore: boolean
  readonly load: () => void
} {
  const client = useClient()
  const [older, setOlder] = useState<readonly WorkLogEntry[]>([])
  // Undefined until the newest page has returned the cursor of the previous one.
  const [next, setNext] = useState<string | null | undefined>(undefined)
  const [isLoading, setLoading] = useState(false)
  const read = async (cursor: string | undefined) => {
    const query = { limit: String(followed), ...(cursor !== undefined && { cursor }) }
    return client.call('GET /api/sessions/:session/work-log', { params: { session }, query })
  }
  const loadOne = async () => {
    const cursor = next === undefined ? (await read(undefined)).next : next
    if (cursor === null) return setNext(null)
    const page = await read(cursor)
    setOlder(known => [...(page.entries as readonly WorkLogEntry[]), ...known])
    setNext(page.next)
  }
  const load = () => {
    setLoading(true)
    void loadOne()
      .catch(toastError)
      .finally(() => setLoading(false))
  }
  return { older, isLoading, hasMore: next !== null, load }
}
