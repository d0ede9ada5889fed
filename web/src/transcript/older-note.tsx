import type { ReactElement } from 'react'
import { Button } from '../ui/button.tsx'
import styles from './floating.module.css'
import type { Older } from './use-older.ts'

/** That older messages are on their way, or why they are not. */
export function OlderNote({
  state,
  onRetry,
}: {
  readonly state: Older['state']
  readonly onRetry: () => void
}): ReactElement | null {
  if (state === 'idle') return null
  return (
    <div className={styles['top']}>
      <div className={styles['note']} role="status">
        {state === 'loading' ? (
          'Loading earlier messages …'
        ) : (
          <>
            {`Earlier messages could not be loaded. ${state.problem}`}
            <Button small onClick={onRetry}>
              Try again
            </Button>
          </>
        )}
      </div>
    </div>
  )
}
