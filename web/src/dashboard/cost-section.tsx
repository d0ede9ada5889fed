import { useState, type ReactElement } from 'react'
import { costWords, type Costs, type Usage, type UsageQuery } from 'dragoman/client/usage'
import { InertText } from '../safety/inert-text.tsx'
import { useAgents } from '../agents/use-agents.ts'
import { dollars } from '../ui/amounts.ts'
import { Segments } from '../ui/segments.tsx'
import { ColumnChart } from './column-chart.tsx'
import { DataTable, type TableColumn } from './data-table.tsx'
import { Downloads } from './downloads.tsx'
import { cost, nameOf } from './measures.ts'
import { NotYet } from './not-yet.tsx'
import { Note } from './note.tsx'
import { ticksUpTo } from './scale.ts'
import { Section } from './section.tsx'
import { heightsOf, stackOf, type Span, type Stack } from './series.ts'
import { titledRows } from './titled-rows.ts'
import { useUsage } from './use-usage.ts'

type Stacked = 'agent' | 'model'

const choices = [
  { name: 'agent', label: 'By agent' },
  { name: 'model', label: 'By model' },
] as const

/** Cost per day, by agent or model. */
export function CostSection({
  query,
  span,
}: {
  readonly query: UsageQuery
  readonly span: Span
}): ReactElement {
  const [by, setBy] = useState<Stacked>('agent')
  const { usage, problem, again } = useUsage({ ...query, by: `day,${by}` })
  const agents = useAgents()
  const choice = <Segments label="Stack by" options={choices} chosen={by} onChoose={setBy} />
  return (
    <Section title="Cost" choice={choice}>
      {usage === null ? (
        <NotYet what="the cost" problem={problem} onAgain={again} />
      ) : (
        <Shown usage={usage} by={by} stack={costsOf(titledRows(usage.rows, agents), span, by)} />
      )}
    </Section>
  )
}

type Rows = Parameters<typeof stackOf>[0]

const costsOf = (rows: Rows, span: Span, by: Stacked): Stack =>
  stackOf(rows, span, { nameOf: row => nameOf(row, by), valueOf: row => cost.valueOf(row) ?? 0 })

function Shown({
  usage,
  by,
  stack,
}: {
  readonly usage: Usage
  readonly by: Stacked
  readonly stack: Stack
}): ReactElement {
  if (stack.series.length === 0) return <Note>No cost data for this period.</Note>
  const ticks = ticksUpTo(Math.max(...heightsOf(stack)))
  return (
    <>
      <EstimateNote costs={usage.total.costs} />
      <ColumnChart label="Cost" stack={stack} ticks={ticks} write={dollars} />
      <CostTable stack={stack} />
      <Downloads usage={usage} name={`day-and-${by}`} />
    </>
  )
}

/** The same as numbers: a line for each column that is not empty. */
function CostTable({ stack }: { readonly stack: Stack }): ReactElement {
  const heights = heightsOf(stack)
  const rows = stack.bins.flatMap((bin, index) => ((heights[index] ?? 0) > 0 ? [{ bin, index }] : []))
  type Row = (typeof rows)[number]
  const amount = (name: string, valueOf: (row: Row) => number): TableColumn<Row> => ({
    name,
    valueOf,
    show: row => (valueOf(row) === 0 ? '–' : dollars(valueOf(row))),
  })
  const columns: readonly TableColumn<Row>[] = [
    { name: 'Date', valueOf: ({ bin }) => bin.day, show: ({ bin }) => <InertText text={bin.name} /> },
    // The total comes before its parts: a phone has no space for all columns.
    amount('Total', ({ index }) => heights[index] ?? 0),
    ...stack.series.map(({ name, values }) => amount(name, ({ index }) => values[index] ?? 0)),
  ]
  return (
    <DataTable
      caption="Cost as a table"
      columns={columns}
      rows={rows}
      keyOf={({ bin }) => bin.day}
      first="Date"
    />
  )
}

/** Says how much of a cost is estimated; nothing where all of it was reported. */
const EstimateNote = ({ costs }: { readonly costs: Costs }): ReactElement | null =>
  costs.estimated === null ? null : <Note>{costWords(costs, dollars)}.</Note>
