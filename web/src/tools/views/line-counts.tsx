import type { ReactElement } from 'react'
import styles from './line-counts.module.css'

/** How many lines were added and removed. */
export const LineCounts = ({
  added,
  removed,
}: {
  readonly added: number
  readonly removed: number
}): ReactElement => (
  <span className={styles['counts']}>
    {added > 0 && (
      <span className={styles['added']}>
        +{added}
        <span className="unseen"> {added === 1 ? 'line' : 'lines'} added</span>
      </span>
    )}{' '}
    {removed > 0 && (
      <span className={styles['removed']}>
        −{removed}
        <span className="unseen"> {removed === 1 ? 'line' : 'lines'} removed</span>
      </span>
    )}
  </span>
)
