import { useEffect, useRef, useState, type ReactElement, type RefObject } from 'react'
import { ChevronLeft, ChevronRight, Bell } from 'lucide-react'
import type { ListedApproval, Session } from 'dragoman/client'
import { useReadable } from 'dragoman/react'
import type { CallPlace } from 'dragoman/client/work-log'
import { focusWriting } from '../composer/focus-message.ts'
import { useCommands } from '../keyboard/command.ts'
import { keyed } from '../keyboard/key-table.ts'
import { inertString } from '../safety/inert-text.ts'
import { InertText } from '../safety/inert-text.tsx'
import { Badge } from '../ui/badge.tsx'
import { IconButton, Button } from '../ui/button.tsx'
import { usePart } from '../ui/use-part.ts'
import { forgetSettled } from './answer-drafts.ts'
import { ApprovalBody } from './approval-body.tsx'
import styles from './approval-dock.module.css'
import { askedOf, sentenceOf, wantsWords } from './asked.ts'
import { dock, nextShown, useDocked } from './docked.ts'
import { RuleList } from './rule-list.tsx'
import { Sentence } from './sentence.tsx'
import { useAgentFacts } from './use-agent-facts.ts'
import { useAnswering, type Answer, type Answering } from './use-answering.ts'

/** Approval requests above the composer. Showing one never takes the focus from a user who is typing. */
export function ApprovalDock({ session }: { readonly session: Session }): ReactElement {
  const waiting = useReadable(session.pendingApprovals)
  const section = useRef<HTMLElement>(null)
  const { at, current } = useShown(session.id, waiting)
  const answering = useAnswering(session, current?.id ?? null)
  const { place, agent } = useAgentFacts(session)
  const announcement = useAnnouncement(waiting, place)
  useDockCommands(current, answering)
  useForgotten(session, waiting)
  useKeptFocus(section, current?.id ?? null)
  return (
    <>
      <span className="unseen" role="status">
        {announcement}
      </span>
      {current && (
        <section ref={section} className={styles['dock']} aria-label="Approval requests" tabIndex={-1}>
          <header className={styles['header']}>
            <Badge tone="warn">
              <span className={styles['tool']}>
                <InertText text={current.tool} />
              </span>
            </Badge>
            <h2 className={styles['sentence']}>
              <Sentence text={sentenceOf(current, place)} />
              {current.thread !== null && <span className={styles['from']}> (a subagent)</span>}
            </h2>
            <Pager session={session.id} waiting={waiting} at={at} />
          </header>
          <ApprovalBody
            key={current.id}
            session={session.id}
            approval={current}
            place={place}
            agent={agent}
            answering={answering}
          />
          <footer className={styles['footer']}>
            <RuleList session={session} />
            <NotifyButton />
          </footer>
        </section>
      )}
    </>
  )
}

/** The request to show: the same while it is pending, then the one that took its place. */
function useShown(session: string, waiting: readonly ListedApproval[]) {
  const wanted = useDocked(session)
  const before = useRef(0)
  const at = nextShown(wanted === null ? null : { id: wanted, at: before.current }, waiting)
  const current = waiting[at] ?? null
  useEffect(() => {
    before.current = at
    dock(session, current?.id ?? null)
  }, [session, at, current])
  useEffect(() => () => dock(session, null), [session])
  return { at, current }
}

function Pager({
  session,
  waiting,
  at,
}: {
  readonly session: string
  readonly waiting: readonly ListedApproval[]
  readonly at: number
}): ReactElement | null {
  if (waiting.length < 2) return null
  const show = (index: number) => dock(session, waiting[index]?.id ?? null)
  return (
    <span className={styles['pager']}>
      <IconButton label="Previous request" disabled={at === 0} onClick={() => show(at - 1)}>
        <ChevronLeft size={18} aria-hidden />
      </IconButton>
      <span>{`${at + 1} of ${waiting.length}`}</span>
      <IconButton label="Next request" disabled={at === waiting.length - 1} onClick={() => show(at + 1)}>
        <ChevronRight size={18} aria-hidden />
      </IconButton>
    </span>
  )
}

function useDockCommands(current: ListedApproval | null, answering: Answering): void {
  const { mayAnswer, isComparing, isWriting, answer } = answering
  const asked = current && askedOf(current)
  const decide = (how: 'allow' | 'deny' | 'always', given: Answer) => ({
    ...keyed(`approval-${how}`),
    when: () =>
      mayAnswer &&
      !isFinding() &&
      !(given.approved && isComparing) &&
      !isWriting() &&
      asked !== null &&
      !wantsWords(asked) &&
      !(given.always === true && asked.kind === 'plan'),
    run: () => answer(given),
  })
  useCommands([
    decide('allow', { approved: true }),
    decide('deny', { approved: false }),
    decide('always', { approved: true, always: true }),
  ])
}

/** While the user goes from match to match, its keys must not answer a request. */
const isFinding = () => document.querySelector('[data-find-bar]') !== null

/** Deletes drafts for requests that were settled, here or elsewhere. */
function useForgotten(session: Session, waiting: readonly ListedApproval[]): void {
  const isKnown = usePart(session.state, ({ phase }) => phase === 'live')
  useEffect(() => {
    if (isKnown) forgetSettled(session.id, waiting)
  }, [session, isKnown, waiting])
}

/** After an answer by button, focus moves to the next request or back to the message box; otherwise it stays. */
function useKeptFocus(section: RefObject<HTMLElement | null>, current: string | null): void {
  const wasInside = useRef(false)
  useEffect(() => {
    const look = () => {
      wasInside.current = section.current?.contains(document.activeElement) === true
    }
    document.addEventListener('focusin', look)
    return () => document.removeEventListener('focusin', look)
  }, [section])
  useEffect(() => {
    if (!wasInside.current || (document.activeElement !== document.body && current !== null)) return
    if (current !== null) return section.current?.focus()
    wasInside.current = false
    focusWriting()
  }, [section, current])
}

const permission = () => globalThis.Notification?.permission ?? 'denied'

/** Asks for permission to send notifications while the tab is hidden. Only this button asks, and only once. */
function NotifyButton(): ReactElement | null {
  const [state, setState] = useState(permission)
  if (state !== 'default') return null
  return (
    <Button kind="quiet" small onClick={() => void Notification.requestPermission().then(setState)}>
      <Bell size={14} aria-hidden />
      Notify me when this tab is hidden
    </Button>
  )
}

/** Announces each new request to screen readers once. */
function useAnnouncement(waiting: readonly ListedApproval[], place: CallPlace): string {
  const announced = useRef<ReadonlySet<string>>(new Set())
  const [words, announce] = useState('')
  useEffect(() => {
    const newest = waiting.findLast(({ id }) => !announced.current.has(id))
    announced.current = new Set(waiting.map(({ id }) => id))
    if (newest !== undefined)
      announce(
        `The agent needs your approval. ${inertString(newest.tool)}: ${inertString(sentenceOf(newest, place))}`,
      )
    else if (waiting.length === 0) announce('')
  }, [waiting, place])
  return words
}
