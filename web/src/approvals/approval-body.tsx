import { useMemo, type ReactElement } from 'react'
import type { ListedApproval } from 'dragoman/client'
import type { CallPlace } from 'dragoman/client/work-log'
import { ComparingContext } from '../tools/diff/comparing-context.ts'
import { draftOf } from './answer-drafts.ts'
import styles from './approval-dock.module.css'
import { askedOf } from './asked.ts'
import { AskedView } from './asked-view.tsx'
import { Decision, type DecisionProps } from './decision.tsx'
import { JsonView } from './field-list.tsx'
import { FillForm } from './fill-form.tsx'
import { QuestionForm } from './question-form.tsx'
import type { Answering } from './use-answering.ts'

/** An approval request in full, with its answers. */
export function ApprovalBody({
  session,
  approval,
  place,
  agent,
  answering: { mayAnswer, isOutOfReach, isComparing, countComparing, answer, write },
}: {
  readonly approval: ListedApproval
  readonly place: CallPlace
  readonly answering: Answering
} & Pick<DecisionProps, 'session' | 'agent'>): ReactElement {
  const { input } = approval
  const asked = useMemo(() => askedOf(approval), [approval])
  const draft = draftOf('words', session, approval.id)
  const to = { disabled: !mayAnswer, onAnswer: answer, onWrite: write }
  return (
    <>
      {asked.kind !== 'questions' && (
        <div className={styles['asked']}>
          <ComparingContext value={countComparing}>
            <AskedView approval={approval} asked={asked} place={place} />
          </ComparingContext>
          {approval.earlierInput !== undefined && <EarlierInput input={approval.earlierInput} />}
        </div>
      )}
      {asked.kind === 'questions' ? (
        <QuestionForm input={input} questions={asked.questions} draft={draft} {...to} />
      ) : asked.kind === 'form' ? (
        <FillForm fields={asked.fields} draft={draft} {...to} />
      ) : (
        <Decision
          session={session}
          approval={approval}
          agent={agent}
          mayAlways={asked.kind !== 'plan'}
          isComparing={isComparing}
          {...to}
        />
      )}
      {isOutOfReach && <p className={styles['out-of-reach']}>You can answer once the server is back.</p>}
    </>
  )
}

/** The input that the agent reported earlier: only the input above will run. */
const EarlierInput = ({ input }: { readonly input: unknown }): ReactElement => (
  <>
    <p className={styles['hint']}>The agent first reported a different input for this call:</p>
    <JsonView value={input} />
  </>
)
