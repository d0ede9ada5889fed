import { useId, type ReactElement, type ReactNode } from 'react'
import styles from './dashboard-page.module.css'

/** A section of the dashboard: its title, its controls and its content. */
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
