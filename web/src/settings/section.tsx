import { useId, type ReactElement, type ReactNode } from 'react'
import styles from './settings-page.module.css'

/** A part of the settings page under its heading. */
export function Section({
  title,
  children,
}: {
  readonly title: string
  readonly children: ReactNode
}): ReactElement {
  const id = useId()
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

/** One setting: its name, its value, and a sentence about it. */
export function Setting({
  name,
  about,
  children,
}: {
  readonly name: ReactNode
  readonly about?: ReactNode
  readonly children: ReactNode
}): ReactElement {
  return (
    <div className={styles['setting']}>
      <div className={styles['name']}>
        {name}
        {about !== undefined && <p className={styles['about']}>{about}</p>}
      </div>
      <div className={styles['value']}>{children}</div>
    </div>
  )
}
