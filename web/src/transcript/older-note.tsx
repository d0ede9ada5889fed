import type { ReactElement } from 'react'
import { short } from '../ui/amounts.ts'
import { Button } from '../ui/button.tsx'
import styles from './floating.module.css'
import type { Older } from './use-older.ts'

/** Whoever waits for more than these is shown how far it is. */
const many = 300

/** That older messages are on their way, or why they are not. */
export function OlderNote({
  state,
  loaded,
  onRetry,
}: {
  readonly state: Older['state']
  readonly loaded: number
  readonly onRetry: () => void
}): ReactElement | null {
  if (state === 'idle') return null
  return (
    <div className={styles['top']}>
      <div className={styles['note']} role="status">
        {state === 'loading' ? (
          `Loading earlier messages…${loaded > many ? ` ${short(loaded)} so far` : ''}`
        ) : (
          <>
            {`Couldn’t load earlier messages. ${state.problem}`}
            <Button small onClick={onRetry}>
              Try again
            </Button>
          </>
        )}
      </div>
    </div>
  )
}
