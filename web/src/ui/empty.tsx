import type { ReactElement, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './empty.module.css'

/** An empty state: what would be here, and what to do. */
export const Empty = ({
  title,
  as: Title = 'p',
  children,
}: {
  readonly title: string
  /** A heading where it is the whole page. */
  readonly as?: 'p' | 'h1'
  readonly children?: ReactNode
}): ReactElement => (
  <div className={classNames(styles['empty'], Title === 'h1' && styles['page'])}>
    <Title className={styles['title']}>{title}</Title>
    {children}
  </div>
)

/** Shown while something loads that takes longer than a moment. */
export const Loading = ({ what }: { readonly what: string }): ReactElement => (
  <div className={styles['loading']} role="status">
    <span className={styles['dot']} aria-hidden />
    {`Loading ${what}…`}
  </div>
)
