import type { ReactElement } from 'react'
import type { Usage } from 'dragoman/client/usage'
import { ColumnChart } from './column-chart.tsx'
import { MeasureTable } from './measure-table.tsx'
import { calls, failedInteractions, interactions, time } from './measures.ts'
import { Note } from './note.tsx'
import { timeTicksUpTo } from './scale.ts'
import { Section } from './section.tsx'
import { heightsOf, stackOf, type Span } from './series.ts'
import { shortTime } from './short-time.ts'

/** How long it took from prompts to answers from day to day, waiting for a person included. */
export function TimeSection({ usage, span }: { readonly usage: Usage; readonly span: Span }): ReactElement {
  const stack = stackOf(usage.rows, span, {
    nameOf: () => 'Turn time',
    valueOf: row => row.time ?? 0,
  })
  return (
    <Section title="Time">
      {stack.series.length === 0 ? (
        <Note>No timing data for this period (imported sessions have none).</Note>
      ) : (
        <ColumnChart
          label="Turn time, includes time waiting for you"
          stack={stack}
          ticks={timeTicksUpTo(Math.max(...heightsOf(stack)))}
          write={shortTime}
          from={2}
        />
      )}
      <MeasureTable
        caption="Time as a table"
        by="day"
        rows={usage.rows.filter(row => row.interactions !== null)}
        measures={[time, interactions, failedInteractions, calls]}
      />
    </Section>
  )
}
