import { useState, type ReactElement } from 'react'
import { counted } from '../ui/amounts.ts'
import { Empty, Loading } from '../ui/empty.tsx'
import { InertText } from '../safety/inert-text.tsx'
import { useAgents } from '../sessions/use-agents.ts'
import styles from './approvals-page.module.css'
import { everything, matches } from './ledger.ts'
import { LedgerFilters } from './ledger-filters.tsx'
import { PastRow } from './past-row.tsx'
import { RuleTable } from './rule-table.tsx'
import { useLedger, type Ledger } from './use-ledger.ts'
import { useSentinel } from './use-sentinel.ts'
import { WaitingCard } from './waiting-card.tsx'

/** What agents asked in all sessions, what was answered, and what is always allowed. */
export function ApprovalsPage(): ReactElement {
  const ledger = useLedger()
  const { waiting, read, problem, again } = ledger
  const { agents } = useAgents()
  return (
    <div className={styles['page']}>
      <h1 className={styles['title']}>Approvals</h1>
      {problem !== null && (
        <p className={styles['problem']} role="status">
          Some sessions could not be read: <InertText text={problem} />
        </p>
      )}
      <section className={styles['section']} aria-labelledby="waiting">
        <h2 id="waiting">
          {waiting.length === 0 ? 'Nothing waits for you' : `Waiting for you (${waiting.length})`}
        </h2>
        {waiting.map(row => (
          <WaitingCard key={`${row.session.id} ${row.approval.id}`} row={row} agents={agents} />
        ))}
      </section>
      <RuleTable read={read} onRevoked={again} />
      <Past ledger={ledger} />
    </div>
  )
}

/** How many lines are added each time somebody comes to the end. */
const some = 100

function Past({ ledger }: { readonly ledger: Ledger }): ReactElement {
  const { past, read, hasMore, isReading, readMore } = ledger
  const [filter, setFilter] = useState(everything)
  const [shown, setShown] = useState(some)
  const found = past.filter(row => matches(row, filter))
  const isAll = shown >= found.length
  const end = useSentinel(!isReading && (!isAll || hasMore), () =>
    isAll ? readMore() : setShown(shown + some),
  )
  return (
    <section className={styles['section']} aria-labelledby="past">
      <h2 id="past">Answered before</h2>
      <LedgerFilters filter={filter} onFilter={setFilter} />
      {found.length === 0 && !isReading && !hasMore && (
        <Empty title={past.length === 0 ? 'No agent has asked for anything yet' : 'Nothing is like that'}>
          <p>
            {past.length === 0
              ? 'What agents ask, and what was answered, is kept here.'
              : 'Look for something else.'}
          </p>
        </Empty>
      )}
      <ol className={styles['rows']}>
        {found.slice(0, shown).map(row => (
          <PastRow key={`${row.session.id} ${row.approval.id}`} row={row} />
        ))}
      </ol>
      <div ref={end}>
        {isReading ? <Loading what="the sessions" /> : <Extent count={read.length} more={hasMore} />}
      </div>
    </section>
  )
}

const Extent = ({ count, more }: { readonly count: number; readonly more: boolean }): ReactElement => (
  <p className={styles['extent']}>
    {more
      ? `From the newest ${counted(count, 'session')}; older ones are read as you scroll.`
      : extentWords(count)}
  </p>
)

const extentWords = (count: number) =>
  count === 1
    ? 'From the one session that is not archived.'
    : `From all ${count} sessions that are not archived.`
