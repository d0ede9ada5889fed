import { useRef, type ReactElement } from 'react'
import type { Session } from 'dragoman/client'
import { useReadable } from 'dragoman/react'
import { Button } from '../ui/button.tsx'
import { rescueFocus } from '../ui/rescue-focus.ts'
import { useRowFocus } from '../ui/use-row-focus.ts'
import styles from './approval-dock.module.css'
import { revokeRule } from './revoke-rule.ts'
import { RuleWords } from './rule-line.tsx'
import { usedText } from './rule-words.ts'

/** The rules of a session, each with a Revoke button. */
export function RuleList({ session }: { readonly session: Session }): ReactElement | null {
  const rules = useReadable(session.rules)
  const list = useRef<HTMLDetailsElement>(null)
  const ids = rules.map(({ id }) => id)
  const focus = useRowFocus(list, ids, { pick: summaryOver, otherwise: rescueFocus })
  if (rules.length === 0) return null
  return (
    <details ref={list} className={styles['rules']} {...focus}>
      <summary>
        {rules.length === 1
          ? '1 rule allows calls without asking'
          : `${rules.length} rules allow calls without asking`}
      </summary>
      <ul>
        {rules.map(rule => (
          <li key={rule.id} className={styles['rule']} data-listed={rule.id}>
            <span>
              <RuleWords rule={rule} />. {usedText(rule.used)}.
            </span>
            <Button small onClick={() => void revokeRule(session, rule.id)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Not a button: a second press must not revoke the next rule. */
const summaryOver = (row: HTMLElement) => row.closest('details')?.querySelector('summary') ?? null
