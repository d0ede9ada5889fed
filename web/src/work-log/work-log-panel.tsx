import { useCallback, useMemo, useState, type ReactElement } from 'react'
import type { Session } from 'dragoman/client'
import { followWorkLog, type FollowedWorkLog } from 'dragoman/client/work-log'
import { useClient, useReadable } from 'dragoman/react'
import type { InspectTarget } from '../inspector/target.ts'
import { Button } from '../ui/button.tsx'
import { Empty, Loading } from '../ui/empty.tsx'
import { NotRead } from '../ui/not-read.tsx'
import { anyWork, filterWork, rowsOf, totalsOf, withOlder } from './arrange.ts'
import { followed, useOlderWork } from './use-older-work.ts'
import { WorkFilters } from './work-filters.tsx'
import styles from './work-log-panel.module.css'
import { WorkTimeline } from './work-timeline.tsx'
import { WorkTotals } from './work-totals.tsx'

/** What was done in a session, call by call, live. */
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

/** Where there is no line: that there was no work is said only when it is known. */
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
