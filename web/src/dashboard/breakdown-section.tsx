import { useState, type ReactElement } from 'react'
import type { UsageQuery, UsageRow } from 'dragoman/client/usage'
import { useAgents } from '../agents/use-agents.ts'
import { Segments } from '../ui/segments.tsx'
import { dayName } from './bins.ts'
import { MeasureTable } from './measure-table.tsx'
import { allTokens, calls, cost, measuresOf, nameOf, type Grouping, type Measure } from './measures.ts'
import { Note } from './note.tsx'
import { NotYet } from './not-yet.tsx'
import { RankBars } from './rank-bars.tsx'
import { Section } from './section.tsx'
import { titledRows } from './titled-rows.ts'
import { useUsage } from './use-usage.ts'

const groupings: readonly { readonly name: Grouping; readonly label: string }[] = [
  { name: 'agent', label: 'Agent' },
  { name: 'model', label: 'Model' },
  { name: 'folder', label: 'Folder' },
  { name: 'tool', label: 'Tool' },
  { name: 'day', label: 'Day' },
]

const mostBars = 10

/** Everything by one of the ways to look at it. */
export function BreakdownSection({ query }: { readonly query: UsageQuery }): ReactElement {
  const [by, setBy] = useState<Grouping>('agent')
  const { usage, problem, again } = useUsage({ ...query, by })
  const agents = useAgents()
  const choice = <Segments label="Group by" options={groupings} chosen={by} onChoose={setBy} />
  return (
    <Section title="Breakdown" choice={choice}>
      {usage === null ? (
        <NotYet what="the breakdown" problem={problem} onAgain={again} />
      ) : (
        <Shown rows={titledRows(usage.rows, agents)} by={by} />
      )}
    </Section>
  )
}

function Shown({ rows, by }: { readonly rows: readonly UsageRow[]; readonly by: Grouping }): ReactElement {
  if (rows.length === 0) return <Note>No data by {by} for this period.</Note>
  const measure = measureFor(rows)
  const bars = rows
    .map(row => ({ row, value: measure.valueOf(row) ?? 0 }))
    .filter(({ value }) => value > 0)
    .toSorted((one, other) => other.value - one.value)
    .slice(0, mostBars)
    .map(({ row, value }) => ({
      name: by === 'day' ? dayName(nameOf(row, by)) : nameOf(row, by),
      value,
      words: measure.write(value),
    }))
  return (
    <>
      <p>
        {measure.name} by {by}
        {rows.length > bars.length && bars.length === mostBars && `, top ${mostBars}`}
      </p>
      <RankBars label={`${measure.name} by ${by}`} bars={bars} />
      <MeasureTable caption={`By ${by} as a table`} by={by} rows={rows} measures={measuresOf[by]} />
    </>
  )
}

/** The first of these of which anything is known. */
const measureFor = (rows: readonly UsageRow[]): Measure =>
  [cost, allTokens].find(({ valueOf }) => rows.some(row => (valueOf(row) ?? 0) > 0)) ?? calls
