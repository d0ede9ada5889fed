import type { ReactElement } from 'react'
import type { Usage } from 'dragoman/client/usage'
import { short } from '../ui/amounts.ts'
import { ColumnChart } from './column-chart.tsx'
import styles from './dashboard-page.module.css'
import { MeasureTable } from './measure-table.tsx'
import { Downloads } from './downloads.tsx'
import { cacheHits, cacheSaved, tokenMeasures } from './measures.ts'
import { ticksUpTo } from './scale.ts'
import { Section } from './section.tsx'
import { heightsOf, stackOf, type Span } from './series.ts'

/** Tokens per day, each kind on its own scale: on one scale cache reads would hide all others. */
export const TokenSection = ({
  usage,
  span,
}: {
  readonly usage: Usage
  readonly span: Span
}): ReactElement => (
  <Section title="Tokens">
    <div className={styles['multiples']}>
      {tokenMeasures.map(({ name, valueOf }, index) => {
        const stack = stackOf(usage.rows, span, { nameOf: () => name, valueOf: row => valueOf(row) ?? 0 })
        const ticks = ticksUpTo(Math.max(...heightsOf(stack)), 2)
        return (
          <ColumnChart key={name} label={name} stack={stack} ticks={ticks} write={short} small from={index} />
        )
      })}
    </div>
    <MeasureTable
      caption="Tokens as a table"
      by="day"
      rows={usage.rows.filter(({ tokens }) => tokens !== null)}
      measures={[...tokenMeasures, cacheHits, cacheSaved]}
    />
    <Downloads usage={usage} name="day" />
  </Section>
)
