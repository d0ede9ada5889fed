import type { ReactElement } from 'react'
import { Ellipsis } from 'lucide-react'
import { InertText } from '../safety/inert-text.tsx'
import { counted, short } from '../ui/amounts.ts'
import { Badge } from '../ui/badge.tsx'
import { classNames } from '../ui/class-names.ts'
import { Menu } from '../ui/menu.tsx'
import { inFull } from '../ui/moments.ts'
import { PlaceLink } from '../ui/place-link.tsx'
import styles from './audit-row.module.css'
import type { Question } from './confirm.tsx'
import { useAuditMenu } from './use-audit-menu.ts'
import { actorWords, canTakeBack, deedWords, reachWords, type Manipulation } from './words.ts'

/** The props of a line of the audit. */
export interface AuditRowProps {
  readonly session: string
  readonly manipulation: Manipulation
  readonly onAsk: (question: Question) => void
  /** Whether it is selected for undo; undefined where changes can't be selected. */
  readonly isChosen?: boolean
  readonly onChoose?: (isChosen: boolean) => void
}

/** One line of the audit: who changed what and why, whether it is in effect, and how to undo it. */
export function AuditRow({ session, manipulation, onAsk, isChosen, onChoose }: AuditRowProps): ReactElement {
  const { at, seq, actor, strategy, reason, holds, kind, tokens, effective, refusal } = manipulation
  const [interaction] = manipulation.interactions
  const items = useAuditMenu(session, manipulation, onAsk)
  return (
    <li className={classNames(styles['row'], !holds && styles['over'])}>
      {onChoose && (
        <input
          type="checkbox"
          aria-label={`Select the change in entry ${seq}`}
          checked={isChosen ?? false}
          disabled={!canTakeBack(manipulation)}
          onChange={({ target }) => onChoose(target.checked)}
        />
      )}
      <div className={styles['told']}>
        <p className={styles['deed']}>
          <b>
            <InertText text={deedWords(manipulation)} />
          </b>
          {kind === 'rejected' && <Badge tone="bad">Refused</Badge>}
          {kind !== 'rejected' && !holds && <Badge>Undone</Badge>}
          {tokens !== null && tokens > 0 && (
            <Badge tone="good">{`−${counted(tokens, 'token', short)}`}</Badge>
          )}
          {effective !== null && effective !== 'applied' && (
            <Badge tone={reachWords[effective][1]}>{reachWords[effective][0]}</Badge>
          )}
        </p>
        <p>
          <InertText text={refusal?.why ?? reason} />
        </p>
        <p className={styles['facts']}>
          <InertText text={`${strategy} · by ${actorWords(actor)} · ${inFull(at)} · entry ${seq}`} />
          {interaction !== undefined && (
            <>
              {' · '}
              <PlaceLink to={{ page: 'session', session, interaction }}>Show</PlaceLink>
            </>
          )}
        </p>
      </div>
      {items.length > 0 && (
        <Menu label={`Undo: entry ${seq}`} icon={<Ellipsis size={16} aria-hidden />} items={items} />
      )}
    </li>
  )
}
