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
  if (finding === 'looking') return 'Looking for the linked message…'
  if (finding === 'missing')
    return 'The linked message is not in this conversation. An edit may have replaced it, or it is in another session.'
  return `Couldn’t find the linked message. ${finding.problem}`
}
