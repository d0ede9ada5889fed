import { memo, type ReactElement } from 'react'
import { useClient } from 'dragoman/react'
import { InertText } from '../safety/inert-text.tsx'
import { nameOf } from '../session-summary/session-face.ts'
import type { Agents } from '../agents/use-agents.ts'
import { Badge } from '../ui/badge.tsx'
import { PlaceLink } from '../ui/place-link.tsx'
import { ago, inFull } from '../ui/moments.ts'
import { ApprovalBody } from '../approvals/approval-body.tsx'
import styles from './approvals-page.module.css'
import { sentenceOf } from '../approvals/asked.ts'
import type { LedgerRow } from './ledger.ts'
import { Sentence } from '../approvals/sentence.tsx'
import { askerOf } from '../approvals/use-agent-facts.ts'
import { useAnswering } from '../approvals/use-answering.ts'

/** A pending request of any session, which can be answered here. */
export const WaitingCard = memo(function WaitingCard({
  row,
  agents,
}: {
  readonly row: LedgerRow
  readonly agents: Agents['agents']
}): ReactElement {
  const { session, approval } = row
  const answering = useAnswering(useClient().session(session.id), approval.id)
  const place = { agent: session.agent, cwd: session.cwd }
  return (
    <article className={styles['card']} data-listed={approval.id}>
      <header className={styles['head']}>
        <Badge tone="warn">
          <InertText text={approval.tool} />
        </Badge>
        <h3 className={styles['sentence']}>
          <Sentence text={sentenceOf(approval, place)} />
        </h3>
        <span className={styles['where']}>
          <PlaceLink to={{ page: 'session', session: session.id }}>
            <InertText text={nameOf(session)} />
          </PlaceLink>
          <time
            dateTime={new Date(approval.requested.at).toISOString()}
            title={inFull(approval.requested.at)}
          >
            {ago(approval.requested.at, Date.now())}
          </time>
        </span>
      </header>
      <ApprovalBody
        session={session.id}
        approval={approval}
        place={place}
        agent={askerOf(agents, session.agent)}
        answering={answering}
      />
    </article>
  )
})
