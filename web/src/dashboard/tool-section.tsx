import type { ReactElement } from 'react'
import type { UsageQuery, UsageRow } from 'dragoman/client/usage'
import { short } from '../ui/amounts.ts'
import { classNames } from '../ui/class-names.ts'
import chart from './column-chart.module.css'
import { MeasureTable } from './measure-table.tsx'
import { failureRate, measuresOf, nameOf } from './measures.ts'
import { NotYet } from './not-yet.tsx'
import { Note } from './note.tsx'
import { RankBars, type RankBar } from './rank-bars.tsx'
import { Section } from './section.tsx'
import { failedSwatch, swatchOf } from './swatches.ts'
import { Downloads } from './downloads.tsx'
import { FailureReasons } from './failure-reasons.tsx'
import { useUsage } from './use-usage.ts'

const mostBars = 12

/** Which tools were called, and how often that failed. */
export function ToolSection({ query }: { readonly query: UsageQuery }): ReactElement {
  const { usage, problem, again } = useUsage({ ...query, by: 'tool' })
  if (usage === null)
    return (
      <Section title="Tools and failures">
        <NotYet what="tools" problem={problem} onAgain={again} />
      </Section>
    )
  const bars = usage.rows
    .toSorted((one, other) => (other.calls ?? 0) - (one.calls ?? 0))
    .slice(0, mostBars)
    .map(barOf)
  return (
    <Section title="Tools and failures">
      {bars.length === 0 ? (
        <Note>No tool calls in this period.</Note>
      ) : (
        <>
          <Key />
          <RankBars label="Tool calls" bars={bars} />
          <MeasureTable caption="Tools as a table" by="tool" rows={usage.rows} measures={measuresOf.tool} />
          <Downloads usage={usage} name="tool" />
          <FailureReasons query={query} />
        </>
      )}
    </Section>
  )
}

function barOf(row: UsageRow): RankBar {
  const [value, failed] = [row.calls ?? 0, row.failures.calls ?? 0]
  const rate = failureRate.valueOf(row)
  const failures = failed === 0 || rate === null ? '' : ` · ${failed} failed (${failureRate.write(rate)})`
  return { name: nameOf(row, 'tool'), value, failed, words: `${short(value)}${failures}` }
}

const Key = (): ReactElement => (
  <ul className={chart['legend']} aria-label="Legend">
    <li>
      <span className={classNames(chart['swatch'], swatchOf(0))} aria-hidden />
      Succeeded
    </li>
    <li>
      <span className={classNames(chart['swatch'], failedSwatch())} aria-hidden />
      Failed
    </li>
  </ul>
)
