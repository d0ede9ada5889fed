import type { ReactElement } from 'react'
import styles from './totals.module.css'

/** A number with its name, and what else is to say about it. */
export const Card = ({
  name,
  value,
  more,
}: {
  readonly name: string
  readonly value: string
  readonly more: string | null
}): ReactElement => (
  <div className={styles['card']}>
    <dt>{name}</dt>
    <dd className={styles['value']}>{value}</dd>
    {more !== null && <dd className={styles['more']}>{more}</dd>}
  </div>
)
