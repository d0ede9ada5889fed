import type { ReactElement } from 'react'
import type { UsageRow } from 'dragoman/client/usage'
import { InertText } from '../safety/inert-text.tsx'
import { dayName } from './bins.ts'
import { DataTable, type TableColumn } from './data-table.tsx'
import { nameOf, type Grouping, type Measure } from './measures.ts'

/** What groups used, as a table. */
export function MeasureTable({
  caption,
  by,
  rows,
  measures,
}: {
  readonly caption: string
  readonly by: Grouping
  readonly rows: readonly UsageRow[]
  readonly measures: readonly Measure[]
}): ReactElement {
  const columns: readonly TableColumn<UsageRow>[] = [
    {
      name: names[by],
      valueOf: row => nameOf(row, by),
      show: row => (by === 'day' ? dayName(row.day ?? '') : <InertText text={nameOf(row, by)} />),
    },
    ...measures.map(({ name, valueOf, write }) => ({
      name,
      valueOf,
      show: (row: UsageRow) => {
        const value = valueOf(row)
        return value === null ? <span title="Not reported">–</span> : write(value)
      },
    })),
  ]
  const first = by === 'day' ? names.day : bestOf(rows, measures)
  return (
    <DataTable
      key={by}
      caption={caption}
      columns={columns}
      rows={rows}
      keyOf={row => nameOf(row, by)}
      first={first}
    />
  )
}

const names: { readonly [Name in Grouping]: string } = {
  day: 'Day',
  agent: 'Agent',
  model: 'Model',
  folder: 'Folder',
  tool: 'Tool',
}

/** The first measure of which anything is known. */
const bestOf = (rows: readonly UsageRow[], measures: readonly Measure[]): string =>
  measures.find(({ valueOf }) => rows.some(row => (valueOf(row) ?? 0) > 0))?.name ?? measures[0]?.name ?? ''
