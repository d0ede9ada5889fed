import { useState, type ReactElement } from 'react'
import type { UsageQuery, UsageRow } from 'dragoman/client/usage'
import { useAgents } from '../agents/use-agents.ts'
import { Segments } from '../ui/segments.tsx'
import { Downloads } from './downloads.tsx'
import { MeasureTable } from './measure-table.tsx'
import { allTokens, calls, cost, keyOf, measuresOf, type Grouping, type Measure } from './measures.ts'
import { Note } from './note.tsx'
import { NotYet } from './not-yet.tsx'
import { RankBars, type RankBar } from './rank-bars.tsx'
import { shownName } from './row-name.tsx'
import { Section } from './section.tsx'
import { titledRows } from './titled-rows.ts'
import { useUsage } from './use-usage.ts'

const groupings: readonly { readonly name: Grouping; readonly label: string }[] = [
  { name: 'agent', label: 'Agent' },
  { name: 'model', label: 'Model' },
  { name: 'folder', label: 'Folder' },
  { name: 'branch', label: 'Branch' },
  { name: 'session', label: 'Session' },
  { name: 'interaction', label: 'Prompt' },
  { name: 'tool', label: 'Tool' },
  { name: 'file', label: 'File' },
  { name: 'day', label: 'Day' },
  { name: 'hour', label: 'Hour' },
]

/** There can be many of these, so only those with the highest costs, or with the most calls, are loaded. */
const many: ReadonlySet<Grouping> = new Set(['session', 'interaction', 'file'])
const mostOfMany = 100

const mostBars = 10

/** Usage, grouped by one field. */
export function BreakdownSection({ query }: { readonly query: UsageQuery }): ReactElement {
  const [by, setBy] = useState<Grouping>('agent')
  const { usage, problem, again } = useUsage({
    ...query,
    by,
    ...(many.has(by) && { top: String(mostOfMany) }),
  })
  const agents = useAgents()
  const choice = <Segments label="Group by" options={groupings} chosen={by} onChoose={setBy} />
  return (
    <Section title="Breakdown" choice={choice}>
      {usage === null ? (
        <NotYet what="the breakdown" problem={problem} onAgain={again} />
      ) : (
        <>
          <Shown rows={titledRows(usage.rows, agents)} by={by} />
          <Downloads usage={usage} name={by} />
        </>
      )}
    </Section>
  )
}

function Shown({ rows, by }: { readonly rows: readonly UsageRow[]; readonly by: Grouping }): ReactElement {
  const word = by === 'interaction' ? 'prompt' : by
  if (rows.length === 0) return <Note>No data by {word} for this period.</Note>
  const measure = measureFor(rows)
  const bars = barsOf(rows, by, measure)
  return (
    <>
      <p>
        {measure.name} by {word}
        {rows.length > bars.length && bars.length === mostBars && `, top ${mostBars}`}
      </p>
      <RankBars label={`${measure.name} by ${word}`} bars={bars} />
      {by === 'branch' && rows.some(({ branch }) => branch === null) && (
        <Note>For some sessions, the agent did not report a git branch.</Note>
      )}
      {rows.length === mostOfMany && many.has(by) && <Note>Only the first {mostOfMany} are listed.</Note>}
      <MeasureTable caption={`By ${word} as a table`} by={by} rows={rows} measures={measuresOf[by]} />
    </>
  )
}

/** The longest bars. */
const barsOf = (rows: readonly UsageRow[], by: Grouping, measure: Measure): readonly RankBar[] =>
  rows
    .map(row => ({ row, value: measure.valueOf(row) ?? 0 }))
    .filter(({ value }) => value > 0)
    .toSorted((one, other) => other.value - one.value)
    .slice(0, mostBars)
    .map(({ row, value }) => ({
      id: keyOf(row, by),
      name: shownName(row, by),
      value,
      words: measure.write(value),
    }))

/** The first measure with data. */
const measureFor = (rows: readonly UsageRow[]): Measure =>
  [cost, allTokens].find(({ valueOf }) => rows.some(row => (valueOf(row) ?? 0) > 0)) ?? calls
