import { useState, type ReactElement } from 'react'
import { X } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import styles from './floating.module.css'
import type { Finding } from './use-focus.ts'

/** That what an address names is looked for, or that it is not there. */
export function FocusNote({ finding }: { readonly finding: Finding }): ReactElement | null {
  const [closed, close] = useState<Finding | null>(null)
  if (finding === 'nothing' || finding === 'found' || finding === closed) return null
  return (
    <div className={styles['top']}>
      <div className={styles['note']} role="status">
        <span>{wordsOf(finding)}</span>
        {finding !== 'looking' && (
          <IconButton label="Close" onClick={() => close(finding)}>
            <X size={16} aria-hidden />
          </IconButton>
        )}
      </div>
    </div>
  )
}

function wordsOf(finding: Exclude<Finding, 'nothing' | 'found'>): string {
  if (finding === 'looking') return 'Looking for the message of this link …'
  if (finding === 'missing')
    return 'What this link leads to is not in this conversation. It may have been replaced by an edit, or belong to another session.'
  return `What this link leads to could not be looked for. ${finding.problem}`
}
