import type { ReactElement } from 'react'
import { InertText } from '../safety/inert-text.tsx'
import styles from './column-chart.module.css'
import { heightsOf, type Stack } from './series.ts'

/** The values of the column that is looked at; of all of them when none is. */
export function Readout({
  label,
  stack,
  looked,
  write,
}: {
  readonly label: string
  readonly stack: Stack
  readonly looked: number | null
  readonly write: (value: number) => string
}): ReactElement {
  const { bins, series } = stack
  const heights = heightsOf(stack)
  const value = looked === null ? heights.reduce((sum, each) => sum + each, 0) : (heights[looked] ?? 0)
  const name = looked === null ? `Total: ${label.toLowerCase()}` : (bins[looked]?.name ?? '')
  const parts = series.filter(({ values }) => looked !== null && (values[looked] ?? 0) > 0)
  return (
    <figcaption className={styles['readout']}>
      <span>{name}</span> <strong>{write(value)}</strong>
      {looked !== null &&
        series.length > 1 &&
        parts.map(({ name: part, values }) => (
          <span key={part} className={styles['piece']}>
            <InertText text={part} /> {write(values[looked] ?? 0)}
          </span>
        ))}
    </figcaption>
  )
}
