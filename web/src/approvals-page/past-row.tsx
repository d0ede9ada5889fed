import { memo, useState, type ReactElement } from 'react'
import { ChevronRight } from 'lucide-react'
import { tellPart } from 'dragoman/client/work-log'
import { InertText } from '../safety/inert-text.tsx'
import { nameOf } from '../session-summary/session-face.ts'
import { Badge } from '../ui/badge.tsx'
import { inFull } from '../ui/moments.ts'
import { PlaceLink } from '../ui/place-link.tsx'
import { answererWords, answerWord, answerWords, isWords } from '../approvals/answer-words.ts'
import styles from './approvals-page.module.css'
import { askedOf, partOf } from '../approvals/asked.ts'
import { AskedView } from '../approvals/asked-view.tsx'
import { FieldList, JsonView } from '../approvals/field-list.tsx'
import { isFields } from '../approvals/json-fields.ts'
import type { LedgerRow } from './ledger.ts'
import { Sentence } from '../approvals/sentence.tsx'
import { statusTones } from '../approvals/status-tones.ts'

/** A settled request: time, subject and answer; open, all details. */
export const PastRow = memo(function PastRow({ row }: { readonly row: LedgerRow }): ReactElement {
  const { session, approval } = row
  const [isOpen, setOpen] = useState(false)
  const { tool, status, by, changedInput, requested } = approval
  const place = { agent: session.agent, cwd: session.cwd }
  return (
    <li className={styles['row']}>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className={styles['summary']}>
          <ChevronRight className={styles['chevron']} size={16} aria-hidden />
          <time className={styles['when']} dateTime={new Date(requested.at).toISOString()}>
            {inFull(requested.at)}
          </time>
          <span className={styles['tool']}>
            <InertText text={tool} />
          </span>
          <span className={styles['what']}>
            <Sentence text={tellPart(partOf(approval), place).sentence.replace(/^Asks to/, 'To')} />
          </span>
          <span className={styles['answer']}>
            <Badge tone={statusTones[status]}>{answerWord(approval)}</Badge>
            <span className={styles['by']}>
              {by === null ? '' : `by ${answererWords[by]}`}
              {changedInput === undefined || isWords(approval) ? '' : ', edited'}
            </span>
          </span>
        </summary>
        {isOpen && <Whole row={row} />}
      </details>
      <PlaceLink className={styles['session']} to={{ page: 'session', session: session.id }}>
        <InertText text={nameOf(session)} />
      </PlaceLink>
    </li>
  )
})

function Whole({ row: { session, approval } }: { readonly row: LedgerRow }): ReactElement {
  const { input, reason, changedInput, settled, thread } = approval
  const asked = askedOf(approval)
  const place = { agent: session.agent, cwd: session.cwd }
  return (
    <div className={styles['whole']}>
      {asked.kind === 'questions' || asked.kind === 'form' ? (
        <FieldList input={input} shown={[]} />
      ) : (
        <AskedView approval={approval} asked={asked} place={place} />
      )}
      <p>
        {answerWords(approval)}
        {settled !== null && `, ${inFull(settled.at)}`}
        {thread !== null && '; requested by a subagent'}.
      </p>
      {reason !== null && reason !== '' && (
        <p>
          Reason: <InertText text={reason} />
        </p>
      )}
      {changedInput !== undefined && (
        <>
          <p>{isWords(approval) ? 'Answer:' : 'Input that was run instead:'}</p>
          {isFields(changedInput) ? (
            <FieldList input={changedInput} shown={[]} />
          ) : (
            <JsonView value={changedInput} />
          )}
        </>
      )}
    </div>
  )
}
