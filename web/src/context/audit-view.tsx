import { useState, type ReactElement } from 'react'
import { useManipulations } from 'dragoman/react'
import { counted } from '../ui/amounts.ts'
import { Button } from '../ui/button.tsx'
import { Empty, Loading } from '../ui/empty.tsx'
import { NotRead } from '../ui/not-read.tsx'
import { AuditFilters, anyAudit, queryOf } from './audit-filters.tsx'
import { AuditRow } from './audit-row.tsx'
import styles from './audit-view.module.css'
import type { Question } from './confirm.tsx'
import { useContextActions } from './use-context-actions.ts'
import { canTakeBack } from './words.ts'

const page = 100

/** All context changes, newest first; one or several can be undone. */
export function AuditView({
  session,
  onAsk,
}: {
  readonly session: string
  readonly onAsk: (question: Question) => void
}): ReactElement {
  const [filter, setFilter] = useState(anyAudit)
  const [limit, setLimit] = useState(page)
  const [chosen, choose] = useState<readonly string[]>([])
  const { manipulations, next, loading, problem, again } = useManipulations(session, {
    ...queryOf(filter),
    limit: String(limit),
  })
  const held = manipulations.flatMap(each => (canTakeBack(each) ? (each.id ?? []) : []))
  const wanted = chosen.filter(id => held.includes(id))
  return (
    <>
      <AuditFilters filter={filter} onChange={setFilter} />
      {problem !== null && <NotRead what="context changes" problem={problem} onAgain={again} />}
      {loading && problem === null && <Loading what="context changes" />}
      <Chosen session={session} wanted={wanted} onAsk={onAsk} onNone={() => choose([])} />
      {manipulations.length === 0 && !loading && problem === null && (
        <Empty title="No changes">No changes match these filters.</Empty>
      )}
      <ul>
        {manipulations.toReversed().map(each => (
          <AuditRow
            key={each.seq + (each.id ?? '')}
            session={session}
            manipulation={each}
            onAsk={onAsk}
            isChosen={each.id !== null && wanted.includes(each.id)}
            onChoose={is =>
              each.id !== null && choose(is ? [...wanted, each.id] : wanted.filter(id => id !== each.id))
            }
          />
        ))}
      </ul>
      {next !== null && limit < 1000 && (
        <Button small kind="quiet" onClick={() => setLimit(Math.min(1000, limit + 300))}>
          Earlier changes
        </Button>
      )}
    </>
  )
}

/** The selected changes, to undo together. */
function Chosen({
  session,
  wanted,
  onAsk,
  onNone,
}: {
  readonly session: string
  readonly wanted: readonly string[]
  readonly onAsk: (question: Question) => void
  readonly onNone: () => void
}): ReactElement | null {
  const { rollBack } = useContextActions(session)
  if (wanted.length === 0) return null
  const ask = () =>
    onAsk({
      title: `Undo ${counted(wanted.length, 'change')}?`,
      about: 'Changes that depend on them are undone too. You can redo this.',
      yes: 'Undo',
      hasReason: true,
      onYes: reason =>
        void rollBack({ manipulations: [...wanted], ...(reason !== undefined && { reason }) }).then(onNone),
    })
  return (
    <p className={styles['chosen']}>
      {`${wanted.length} selected`}
      <Button small onClick={ask}>
        Undo
      </Button>
      <Button small kind="quiet" onClick={onNone}>
        Clear selection
      </Button>
    </p>
  )
}
