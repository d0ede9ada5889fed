import { useRef, type ReactElement } from 'react'
import { useClient } from 'dragoman/react'
import { InertText } from '../safety/inert-text.tsx'
import { nameOf } from '../session-summary/session-face.ts'
import { Button } from '../ui/button.tsx'
import { inFull } from '../ui/moments.ts'
import { PlaceLink } from '../ui/place-link.tsx'
import { rescueFocus } from '../ui/rescue-focus.ts'
import { useRowFocus } from '../ui/use-row-focus.ts'
import styles from './approvals-page.module.css'
import type { LedgerRule } from './ledger.ts'
import { revokeRule } from '../approvals/revoke-rule.ts'
import { RuleWords } from '../approvals/rule-line.tsx'
import { usedText } from '../approvals/rule-words.ts'

/** The rules that always allow, in all sessions. */
export function RuleTable({
  rules,
  onRevoked,
}: {
  readonly rules: readonly LedgerRule[]
  readonly onRevoked: () => void
}): ReactElement | null {
  const client = useClient()
  const section = useRef<HTMLElement>(null)
  const ids = rules.map(({ rule }) => rule.id)
  const focus = useRowFocus(section, ids, { pick: linkIn, otherwise: rescueFocus })
  if (rules.length === 0) return null
  const revoke = async (session: string, rule: string) => {
    if (await revokeRule(client.session(session), rule)) onRevoked()
  }
  return (
    <section ref={section} className={styles['section']} aria-labelledby="rules" {...focus}>
      <h2 id="rules">Always allowed</h2>
      <ul className={styles['rows']}>
        {rules.map(({ session, rule }) => (
          <li key={rule.id} className={styles['rule']} data-listed={rule.id}>
            <span className={styles['what']}>
              <RuleWords rule={rule} />
              <span className={styles['where']}>
                <PlaceLink to={{ page: 'session', session: session.id }}>
                  <InertText text={nameOf(session)} />
                </PlaceLink>
                <span>
                  <InertText text={rule.agent} />
                </span>
                <span>{usedText(rule.used)}</span>
                <time dateTime={new Date(rule.made.at).toISOString()}>{inFull(rule.made.at)}</time>
              </span>
            </span>
            <Button small onClick={() => void revoke(session.id, rule.id)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Not a button: a second press must not revoke the next rule. */
const linkIn = (row: HTMLElement) => row.querySelector<HTMLElement>('a')
