import type { ReactElement } from 'react'
import type { Session } from 'dragoman/client'
import { useReadable } from 'dragoman/react'
import { Button } from '../ui/button.tsx'
import { toastError } from '../ui/toast.ts'
import styles from './approval-dock.module.css'
import { RuleWords } from './rule-line.tsx'

/** What is always allowed in a session, each with a way to take it back. */
export function RuleList({ session }: { readonly session: Session }): ReactElement | null {
  const rules = useReadable(session.rules)
  if (rules.length === 0) return null
  return (
    <details className={styles['rules']}>
      <summary>
        {rules.length === 1 ? 'One thing is always allowed' : `${rules.length} things are always allowed`}
      </summary>
      <ul>
        {rules.map(rule => (
          <li key={rule.id} className={styles['rule']}>
            <span>
              <RuleWords rule={rule} />
            </span>
            <Button small onClick={() => void session.revokeRule(rule.id).catch(toastError)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </details>
  )
}
