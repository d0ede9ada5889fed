import { useId, type ReactElement, type ReactNode } from 'react'
import styles from './dashboard-page.module.css'

/** A part of the dashboard: its name, what can be chosen in it, and what it shows. */
export function Section({
  title,
  choice,
  children,
}: {
  readonly title: string
  readonly choice?: ReactNode
  readonly children: ReactNode
}): ReactElement {
  const id = useId()
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <div className={styles['head']}>
        <h2 id={id}>{title}</h2>
        {choice}
      </div>
      {children}
    </section>
  )
}
