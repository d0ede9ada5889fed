import { useRef, useState, type ReactElement } from 'react'
import type { Context, Recalled } from 'dragoman/client/context'
import { LongText } from '../inspector/long-text.tsx'
import { InertText } from '../safety/inert-text.tsx'
import { counted, short } from '../ui/amounts.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { PlaceLink } from '../ui/place-link.tsx'
import { toastError } from '../ui/toast.ts'
import type { Question } from './confirm.tsx'
import styles from './part-row.module.css'
import { useContextActions } from './use-context-actions.ts'
import { partWords, ruleWords, type ContextPart } from './words.ts'

/** The props of a part in the list. */
export interface PartRowProps {
  readonly session: string
  readonly part: ContextPart
  /** Whether it was sent so, or only would be: then no request has a number yet. */
  readonly source: Context['source']
  readonly onAsk: (question: Question) => void
}

/** One part that is not sent in its original form: what replaced it, why, and how to restore it. */
export function PartRow({ session, part, source, onAsk }: PartRowProps): ReactElement {
  const since = source === 'sent' ? ` · since request ${part.step}` : ''
  return (
    <li className={styles['part']}>
      <p className={styles['head']}>
        <Badge tone="accent">{partWords[part.as]}</Badge>
        {part.tokens && (
          <span>{`${short(part.tokens.before)} → ${counted(part.tokens.after, 'token', short)}`}</span>
        )}
        <span className={styles['rule']}>
          <InertText text={`${ruleWords(part.rule)}${since}`} />
        </span>
      </p>
      <p>
        <InertText text={part.why} />
      </p>
      {part.text !== null && (
        <p className={styles['instead']}>
          <InertText text={part.text} />
        </p>
      )}
      <Ways session={session} part={part} onAsk={onAsk} />
    </li>
  )
}

/** Buttons to show and restore the original. */
function Ways({ session, part, onAsk }: Omit<PartRowProps, 'source'>): ReactElement {
  const { recall, rollBack } = useContextActions(session)
  const [isOpen, setOpen] = useState(false)
  const [recalled, setRecalled] = useState<Recalled | null>(null)
  const isAsked = useRef(false)
  const { manipulation } = part
  const toggle = () => {
    setOpen(!isOpen)
    if (isOpen || recalled !== null || isAsked.current) return
    isAsked.current = true
    recall(part.part).then(setRecalled, (error: unknown) => {
      isAsked.current = false
      setOpen(false)
      toastError(error)
    })
  }
  const ask = (id: string) =>
    onAsk({
      title: 'Restore the original?',
      about: 'The model gets the original from the next request on. The rule won’t trim it again.',
      yes: 'Restore',
      hasReason: true,
      onYes: reason => void rollBack({ manipulations: [id], ...(reason !== undefined && { reason }) }),
    })
  return (
    <>
      <div className={styles['ways']}>
        <Button small aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? 'Hide' : 'Show original'}
        </Button>
        {manipulation !== null && (
          <Button small onClick={() => ask(manipulation)}>
            Restore original
          </Button>
        )}
      </div>
      {isOpen && recalled === null && <p className={styles['rule']}>Loading the original…</p>}
      {isOpen && recalled && <Original session={session} recalled={recalled} />}
    </>
  )
}

const Original = ({ session, recalled }: { readonly session: string; readonly recalled: Recalled }) => (
  <div className={styles['original']} tabIndex={0} role="group" aria-label="Original">
    <p className={styles['rule']}>
      <InertText
        text={`${recalled.role}, ${recalled.kind}${recalled.tool === null ? '' : ` from ${recalled.tool}`}`}
      />
      {' · '}
      <PlaceLink to={{ page: 'session', session, message: recalled.message }}>Show in transcript</PlaceLink>
    </p>
    <LongText text={recalled.text} />
  </div>
)
