import type { ReactElement } from 'react'
import { useManipulations } from 'dragoman/react'
import { AuditRow } from './audit-row.tsx'
import type { Question } from './confirm.tsx'
import styles from './interaction-saved.module.css'
import type { Interaction } from './words.ts'

/** What was done to what counts of an interaction, and why. */
export function InteractionSaved({
  session,
  interaction: { id, reason },
  onAsk,
}: {
  readonly session: string
  readonly interaction: Interaction
  readonly onAsk: (question: Question) => void
}): ReactElement {
  const { manipulations, next, problem } = useManipulations(session, { interaction: id, limit: '100' })
  return (
    <div className={styles['saved']}>
      {reason !== null && <p>{`Ended early: ${reason}`}</p>}
      {problem !== null && <p>{problem}</p>}
      {manipulations.length === 0 && <p>Nothing trimmed: the model sees everything.</p>}
      <ul>
        {manipulations.toReversed().map(each => (
          <AuditRow key={each.seq + (each.id ?? '')} session={session} manipulation={each} onAsk={onAsk} />
        ))}
      </ul>
      {next !== null && <p>The audit lists all changes.</p>}
    </div>
  )
}
