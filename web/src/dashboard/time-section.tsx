import type { ReactElement } from 'react'
import type { Usage } from 'dragoman/client/usage'
import { ColumnChart } from './column-chart.tsx'
import { MeasureTable } from './measure-table.tsx'
import { calls, failedInteractions, interactions, time } from './measures.ts'
import { timeTicksUpTo } from './scale.ts'
import { Section } from './section.tsx'
import { heightsOf, stackOf, type Span } from './series.ts'
import { shortTime } from './short-time.ts'

/** How long agents were at work from day to day. */
export function TimeSection({ usage, span }: { readonly usage: Usage; readonly span: Span }): ReactElement {
  const stack = stackOf(usage.rows, span, { nameOf: () => 'At work', valueOf: row => row.time ?? 0 })
  const ticks = timeTicksUpTo(Math.max(...heightsOf(stack)))
  return (
    <Section title="Time">
      <ColumnChart label="Agents at work" stack={stack} ticks={ticks} write={shortTime} from={2} />
      <MeasureTable
        caption="Time as a table"
        by="day"
        rows={usage.rows.filter(row => row.interactions !== null)}
        measures={[time, interactions, failedInteractions, calls]}
      />
    </Section>
  )
}
