import type { ReactElement } from 'react'
import styles from './approval-dock.module.css'

/** The key that does the same as a button; the name of the button stays what it is. */
export const KeyHint = ({ keys }: { readonly keys: string }): ReactElement => (
  <kbd className={styles['key']} aria-hidden>
    {keys}
  </kbd>
)
