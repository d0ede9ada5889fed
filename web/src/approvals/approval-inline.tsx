import type { ReactElement } from 'react'
import type { Client, ListedApproval, Session } from 'dragoman/client'
import { InertText } from '../safety/inert-text.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { useDetails } from '../ui/use-fetched.ts'
import { usePart } from '../ui/use-part.ts'
import { draftForm } from './answer-drafts.ts'
import { answerWords, type Answered } from './answer-words.ts'
import styles from './approval-inline.module.css'
import { askedOf, wantsWords } from './asked.ts'
import { dock, useDocked } from './docked.ts'
import { statusTones } from './status-tones.ts'
import { useAnswering } from './use-answering.ts'

/** What a message contains about an approval, also where the session no longer lists it. */
export interface MessageApproval {
  readonly id: string
  readonly approved?: boolean
  readonly reason?: string | null
}

/** The state of an approval next to its call, with buttons where the dock does not show it. */
export function ApprovalInline({
  session,
  approval,
  isComparing = false,
}: {
  readonly session: Session
  readonly approval: MessageApproval
  /** Whether the card still compares the edit that is asked about. */
  readonly isComparing?: boolean
}): ReactElement | null {
  const isApproval = ({ id }: ListedApproval) => id === approval.id
  const listed = usePart(session.approvals, all => all.find(isApproval))
  const isPending = usePart(session.pendingApprovals, all => all.some(isApproval))
  if (listed === undefined) return <Saved session={session} approval={approval} />
  if (listed.status !== 'pending') return <Settled answered={listed} />
  // The answer arrived before the list was loaded again: buttons would disappear with the focus on them.
  return isPending ? <Pending session={session} approval={listed} isComparing={isComparing} /> : null
}

function Saved({
  session,
  approval,
}: {
  readonly session: Session
  readonly approval: MessageApproval
}): ReactElement | null {
  const saved = useDetails('answers', session, loadAnswers)?.get(approval.id)
  const answered = saved === undefined || saved.status === 'pending' ? answerInMessage(approval) : saved
  return answered && <Settled answered={answered} />
}

function Settled({ answered: settled }: { readonly answered: Answered }): ReactElement | null {
  if (isShownByCall(settled)) return null
  return (
    <p className={styles['inline']}>
      <Badge tone={statusTones[settled.status]}>{answerWords(settled)}</Badge>
      {settled.reason !== null && settled.reason !== '' && (
        <span className={styles['reason']}>
          <InertText text={settled.reason} />
        </span>
      )}
    </p>
  )
}

/** An approval without details: the fact that the call ran shows the same. */
const isShownByCall = ({ status, by, reason }: Pick<ListedApproval, 'status' | 'by' | 'reason'>) =>
  status === 'granted' && by === null && (reason === null || reason === '')

function answerInMessage({ approved, reason = null }: MessageApproval) {
  if (approved === undefined) return null
  return { status: approved ? 'granted' : 'denied', by: null, reason, always: false } as const
}

/** The dock has all options; this has only Allow, Deny and a link to the dock. */
function Pending({
  session,
  approval,
  isComparing,
}: {
  readonly session: Session
  readonly approval: ListedApproval
  readonly isComparing: boolean
}): ReactElement {
  const docked = useDocked(session.id)
  const { mayAnswer, answer } = useAnswering(session, approval.id)
  if (docked === approval.id)
    return (
      <p className={styles['inline']}>
        <Badge tone="warn">Needs approval below</Badge>
      </p>
    )
  // A quick answer must not skip over a draft the user started for this request.
  if (docked !== null && draftForm(session.id, approval.id) !== null)
    return (
      <p className={styles['inline']}>
        <Badge tone="warn">Needs approval</Badge>
        <Button small onClick={() => dock(session.id, approval.id)}>
          Continue your answer
        </Button>
      </p>
    )
  return (
    <p className={styles['inline']}>
      <Badge tone="warn">Needs approval</Badge>
      {!wantsWords(askedOf(approval)) && (
        <>
          <Button
            kind="primary"
            small
            disabled={!mayAnswer || isComparing}
            title={isComparing ? 'You can allow this edit after its changes are shown.' : undefined}
            onClick={() => answer({ approved: true })}
          >
            Allow
          </Button>
          <Button small disabled={!mayAnswer} onClick={() => answer({ approved: false })}>
            Deny
          </Button>
        </>
      )}
      {docked !== null && (
        <Button kind="quiet" small onClick={() => dock(session.id, approval.id)}>
          Show details
        </Button>
      )}
    </p>
  )
}

/** Loads every approval of a session, by ID: a page opened later only gets pending ones. */
async function loadAnswers(client: Client, session: string): Promise<ReadonlyMap<string, ListedApproval>> {
  const { approvals } = await client.call('listApprovals', { params: { session }, query: { all: '1' } })
  return new Map(approvals.map(each => [each.id, each]))
}
