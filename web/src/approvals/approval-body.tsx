import { useMemo, type ReactElement } from 'react'
import type { ListedApproval } from 'dragoman/client'
import type { CallPlace } from 'dragoman/client/work-log'
import styles from './approval-dock.module.css'
import { useClient } from 'dragoman/react'
import { useLost } from '../ui/use-lost.ts'
import { askedOf } from './asked.ts'
import { AskedView } from './asked-view.tsx'
import { Decision, type DecisionProps } from './decision.tsx'
import { FillForm } from './fill-form.tsx'
import { QuestionForm } from './question-form.tsx'

/** A question of the agent in full, and how it is answered. */
export function ApprovalBody({
  approval,
  place,
  agent,
  disabled: isDisabled,
  onAnswer,
}: {
  readonly approval: ListedApproval
  readonly place: CallPlace
} & Pick<DecisionProps, 'agent' | 'disabled' | 'onAnswer'>): ReactElement {
  const { input } = approval
  const asked = useMemo(() => askedOf(approval), [approval])
  const isLost = useLost(useClient()) !== null
  const disabled = isDisabled || isLost
  return (
    <>
      {asked.kind !== 'questions' && (
        <div className={styles['asked']}>
          <AskedView approval={approval} asked={asked} place={place} />
        </div>
      )}
      {asked.kind === 'questions' ? (
        <QuestionForm input={input} questions={asked.questions} disabled={disabled} onAnswer={onAnswer} />
      ) : asked.kind === 'form' ? (
        <FillForm fields={asked.fields} disabled={disabled} onAnswer={onAnswer} />
      ) : (
        <Decision
          approval={approval}
          agent={agent}
          disabled={disabled}
          mayAlways={asked.kind !== 'plan'}
          onAnswer={onAnswer}
        />
      )}
      {isLost && <p className={styles['out-of-reach']}>It cannot be answered before the server is back.</p>}
    </>
  )
}
