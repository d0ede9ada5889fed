import type { ReactElement } from 'react'
import { InertText } from '../safety/inert-text.tsx'
import { classNames } from '../ui/class-names.ts'
import styles from './column-chart.module.css'
import type { Series } from './series.ts'
import { swatchOf } from './swatches.ts'

/** What each colour and pattern stands for, and how much there is of it in all. */
export const Legend = ({
  series,
  write,
  from = 0,
}: {
  readonly series: readonly Series[]
  readonly write: (value: number) => string
  readonly from?: number
}): ReactElement => (
  <ul className={styles['legend']} aria-label="Legend">
    {series.map(({ name, total }, index) => (
      <li key={name}>
        <span className={classNames(styles['swatch'], swatchOf(index + from))} aria-hidden />
        <InertText text={name} />
        <span className={styles['total']}>{write(total)}</span>
      </li>
    ))}
  </ul>
)
