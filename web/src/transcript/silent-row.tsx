import type { ReactElement } from 'react'
import { CircleDashed } from 'lucide-react'
import styles from './small-line.module.css'

/** An answer that is over and says nothing. */
export const SilentRow = (): ReactElement => (
  <div className={styles['line']}>
    <CircleDashed size={14} aria-hidden />
    <span>The agent ended without a message.</span>
  </div>
)
