import type { ReactElement } from 'react'
import { useClient } from 'dragoman/react'
import { InertText } from '../safety/inert-text.tsx'
import { nameOf } from '../sessions/session-face.ts'
import { Button } from '../ui/button.tsx'
import { inFull } from '../ui/moments.ts'
import { PlaceLink } from '../ui/place-link.tsx'
import { toastError } from '../ui/toast.ts'
import styles from './approvals-page.module.css'
import type { ReadSession } from './ledger.ts'
import { RuleWords } from './rule-line.tsx'

/** What is always allowed, in all sessions that were read. */
export function RuleTable({
  read,
  onRevoked,
}: {
  readonly read: readonly ReadSession[]
  readonly onRevoked: (session: string) => void
}): ReactElement | null {
  const client = useClient()
  const rules = read.flatMap(({ session, rules: all }) => all.map(rule => ({ session, rule })))
  if (rules.length === 0) return null
  return (
    <section className={styles['section']} aria-labelledby="rules">
      <h2 id="rules">Always allowed</h2>
      <ul className={styles['rows']}>
        {rules.map(({ session, rule }) => (
          <li key={rule.id} className={styles['rule']}>
            <span className={styles['what']}>
              <RuleWords rule={rule} />
              <span className={styles['where']}>
                <PlaceLink to={{ page: 'session', session: session.id }}>
                  <InertText text={nameOf(session)} />
                </PlaceLink>
                <time dateTime={new Date(rule.made.at).toISOString()}>{inFull(rule.made.at)}</time>
              </span>
            </span>
            <Button
              small
              onClick={() =>
                void client
                  .session(session.id)
                  .revokeRule(rule.id)
                  .then(() => onRevoked(session.id), toastError)
              }
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
