import type { ReactElement } from 'react'
import type { UsageRow } from 'dragoman/client/usage'
import { DataTable, type TableColumn } from './data-table.tsx'
import { keyOf, nameOf, type Grouping, type Measure } from './measures.ts'
import { RowName } from './row-name.tsx'

/** What groups used, as a table. Measures that no row has are left out. */
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
  const known = measures.filter(({ valueOf }) => rows.some(row => valueOf(row) !== null))
  const columns: readonly TableColumn<UsageRow>[] = [
    {
      name: columnNames[by],
      valueOf: row => (byTime.has(by) ? (row[by] ?? '') : nameOf(row, by)),
      show: row => <RowName row={row} by={by} />,
    },
    ...known.map(({ name, valueOf, write }) => ({
      name,
      valueOf,
      show: (row: UsageRow) => {
        const value = valueOf(row)
        return value === null ? <span title="Not reported">–</span> : write(value)
      },
    })),
  ]
  const first = byTime.has(by) ? columnNames[by] : bestOf(rows, known)
  return (
    <DataTable
      key={by}
      caption={caption}
      columns={columns}
      rows={rows}
      keyOf={row => keyOf(row, by)}
      first={first}
    />
  )
}

const byTime: ReadonlySet<Grouping> = new Set(['day', 'hour', 'block'])

/** What the first column is called. */
const columnNames: { readonly [Name in Grouping]: string } = {
  day: 'Day',
  hour: 'Hour',
  block: 'Five hours from',
  agent: 'Agent',
  model: 'Model',
  folder: 'Folder',
  branch: 'Branch',
  session: 'Session',
  interaction: 'Prompt',
  tool: 'Tool',
  file: 'File',
  reason: 'Reason',
}

/** The first measure with data. */
const bestOf = (rows: readonly UsageRow[], measures: readonly Measure[]): string =>
  measures.find(({ valueOf }) => rows.some(row => (valueOf(row) ?? 0) > 0))?.name ?? measures[0]?.name ?? ''
