import type { ReactElement } from 'react'
import { InertText } from '../safety/inert-text.tsx'
import { classNames } from '../ui/class-names.ts'
import styles from './rank-bars.module.css'
import { failedSwatch, swatchOf } from './swatches.ts'

/** One bar: its value, the failed share, and its label. */
export interface RankBar {
  /** Set where names can be the same. */
  readonly id?: string
  readonly name: string
  readonly value: number
  readonly failed?: number
  readonly words: string
}

/** Bars from largest to smallest, each labeled, so that no legend is needed. */
export function RankBars({
  label,
  bars,
}: {
  readonly label: string
  readonly bars: readonly RankBar[]
}): ReactElement {
  const most = Math.max(...bars.map(({ value }) => value), 0)
  return (
    <ul className={styles['bars']} aria-label={label}>
      {bars.map(({ id, name, value, failed = 0, words }) => (
        <li key={id ?? name} className={styles['row']}>
          <span className={styles['name']}>
            <InertText text={name} />
          </span>
          <span className={styles['track']} aria-hidden>
            <span className={classNames(styles['bar'], swatchOf(0))} style={share(value - failed, most)} />
            <span className={classNames(styles['bar'], failedSwatch())} style={share(failed, most)} />
          </span>
          <span className={styles['words']}>{words}</span>
        </li>
      ))}
    </ul>
  )
}

const share = (value: number, most: number) => ({ width: `${most === 0 ? 0 : (value / most) * 100}%` })
