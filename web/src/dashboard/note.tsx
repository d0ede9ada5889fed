import type { ReactElement, ReactNode } from 'react'
import styles from './dashboard-page.module.css'

/** A sentence where something is missing, and why. */
export const Note = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <p className={styles['note']}>{children}</p>
)
