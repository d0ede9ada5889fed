import type { ReactElement } from 'react'
import type { Usage } from 'dragoman/client/usage'
import { ColumnChart } from './column-chart.tsx'
import { MeasureTable } from './measure-table.tsx'
import { calls, failedInteractions, interactions, time, waitTime } from './measures.ts'
import { Note } from './note.tsx'
import { timeTicksUpTo } from './scale.ts'
import { Section } from './section.tsx'
import { heightsOf, stackOf, type Span } from './series.ts'

/** The time from prompts to answers by day, including the time waiting for approval. */
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
        measures={[time, waitTime, interactions, failedInteractions, calls]}
      />
    </Section>
  )
}

/** Milliseconds as an axis writes them: 45 s, 5 min, 1.5 h. */
function shortTime(ms: number): string {
  const one = (value: number) => String(Number(value.toFixed(1)))
  if (ms === 0) return '0'
  if (ms < 60_000) return `${one(ms / 1000)} s`
  if (ms < 3_600_000) return `${one(ms / 60_000)} min`
  return `${one(ms / 3_600_000)} h`
}
