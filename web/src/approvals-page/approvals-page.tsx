import { useRef, useState, useEffect, type ReactElement, type RefObject } from 'react'
import { useAgents } from '../agents/use-agents.ts'
import { counted } from '../ui/amounts.ts'
import { Empty, Loading } from '../ui/empty.tsx'
import { NotRead } from '../ui/not-read.tsx'
import { rescueFocus } from '../ui/rescue-focus.ts'
import { useRowFocus } from '../ui/use-row-focus.ts'
import styles from './approvals-page.module.css'
import { LedgerFilters } from './ledger-filters.tsx'
import { everything, keyOf, matches } from './ledger.ts'
import { PastRow } from './past-row.tsx'
import { RuleTable } from './rule-table.tsx'
import { useLedger, type Ledger } from './use-ledger.ts'
import { WaitingCard } from './waiting-card.tsx'

/** Approval requests of all sessions, their answers, and the rules. */
export function ApprovalsPage(): ReactElement {
  const ledger = useLedger()
  const { waiting, rules, problem, again, retry } = ledger
  const { agents } = useAgents()
  const section = useRef<HTMLElement>(null)
  const ids = waiting.map(({ approval }) => approval.id)
  const focus = useRowFocus(section, ids, { pick: linkIn, otherwise: rescueFocus })
  return (
    <div className={styles['page']}>
      <h1 className={styles['title']}>Approvals</h1>
      {problem !== null && <NotRead what="some approvals" problem={problem} onAgain={retry} />}
      <section ref={section} className={styles['section']} aria-labelledby="waiting" {...focus}>
        <h2 id="waiting">{waitingWords(ledger)}</h2>
        {waiting.map(row => (
          <WaitingCard key={keyOf(row)} row={row} agents={agents} />
        ))}
      </section>
      <RuleTable rules={rules} onRevoked={again} />
      <Past ledger={ledger} />
    </div>
  )
}

/** Not a button: a second press must not answer the next request. */
const linkIn = (card: HTMLElement) => card.querySelector<HTMLElement>('a')

/** Says "No pending approvals" only once that is certain. */
function waitingWords({ waiting, isKnown, problem }: Ledger): string {
  if (waiting.length > 0) return `Waiting for approval (${waiting.length})`
  if (isKnown) return 'No pending approvals'
  return problem === null ? 'Loading pending approvals…' : 'Couldn’t load pending approvals'
}

/** How many rows are added when the user scrolls to the end. */
const some = 100

function Past({ ledger }: { readonly ledger: Ledger }): ReactElement {
  const { past, waiting, problem, hasMore, isLoading, loadMore } = ledger
  const [filter, setFilter] = useState(everything)
  const [shown, setShown] = useState(some)
  const found = past.filter(row => matches(row, filter))
  const isAll = shown >= found.length
  const isMore = hasMore && problem === null
  const end = useSentinel(!isLoading && (!isAll || isMore), () =>
    isAll ? loadMore() : setShown(shown + some),
  )
  return (
    <section className={styles['section']} aria-labelledby="past">
      <h2 id="past">History</h2>
      <LedgerFilters filter={filter} onFilter={setFilter} />
      {found.length === 0 && !isLoading && !hasMore && problem === null && (
        <Empty title={past.length > 0 ? 'No results' : nothingYet(waiting.length)}>
          <p>
            {past.length === 0
              ? 'Requests from agents and your answers are saved here.'
              : 'Try other filters.'}
          </p>
        </Empty>
      )}
      <ol className={styles['rows']}>
        {found.slice(0, shown).map(row => (
          <PastRow key={keyOf(row)} row={row} />
        ))}
      </ol>
      <div ref={end}>
        {isLoading && <Loading what="approvals" />}
        {!isLoading && problem === null && <Extent count={past.length} more={hasMore} />}
      </div>
    </section>
  )
}

const nothingYet = (waiting: number) => (waiting === 0 ? 'No approval requests yet' : 'No answers yet')

const Extent = ({ count, more }: { readonly count: number; readonly more: boolean }): ReactElement => (
  <p className={styles['extent']}>
    {more
      ? `Latest ${counted(count, 'approval')}. Older ones load as you scroll.`
      : `${counted(count, 'approval')} across all sessions, including archived ones.`}
  </p>
)

/** Calls `reach` whenever an element comes into view, while `wanted` is true. */
function useSentinel(wanted: boolean, reach: () => void): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null)
  const latest = useRef(reach)
  useEffect(() => {
    latest.current = reach
  })
  useEffect(() => {
    const watched = element.current
    if (!wanted || watched === null) return
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting === true && latest.current(),
      { rootMargin: '400px' },
    )
    observer.observe(watched)
    return () => observer.disconnect()
  })
  return element
}
