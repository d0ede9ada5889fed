import { useState, type ReactElement, type ReactNode } from 'react'
import { classNames } from '../ui/class-names.ts'
import styles from './data-table.module.css'

/** One column of a table. */
export interface TableColumn<Row> {
  readonly name: string
  /** The sort order of rows; unknown values come last in both directions. */
  readonly valueOf: (row: Row) => number | string | null
  readonly show: (row: Row) => ReactNode
}

interface Order {
  readonly column: string
  readonly down: boolean
}

/** A table that can be sorted by any column; the first one names the row. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
  first,
}: {
  readonly caption: string
  readonly columns: readonly TableColumn<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** By which column it is sorted at first, the largest above. */
  readonly first: string
}): ReactElement {
  const [chosen, setOrder] = useState<Order>({ column: first, down: true })
  const by = columns.find(({ name }) => name === chosen.column) ?? columns[0]
  const down = by?.name === chosen.column ? chosen.down : true
  const sorted = by === undefined ? rows : rows.toSorted(orderBy(by, down))
  return (
    <div
      className={classNames(styles['frame'], 'scrolls-sideways')}
      role="region"
      aria-label={caption}
      tabIndex={0}
    >
      <table className={styles['table']}>
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name }) => (
              <th
                key={name}
                scope="col"
                aria-sort={name !== by?.name ? undefined : down ? 'descending' : 'ascending'}
              >
                <button
                  type="button"
                  onClick={() => setOrder({ column: name, down: name === by?.name ? !down : true })}
                >
                  {name}
                  {name === by?.name && (
                    <span aria-hidden className={styles['arrow']}>
                      {down ? '▾' : '▴'}
                    </span>
                  )}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map(row => (
            <tr key={keyOf(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.name} scope="row">
                    {column.show(row)}
                  </th>
                ) : (
                  <td key={column.name}>{column.show(row)}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function orderBy<Row>({ valueOf }: TableColumn<Row>, down: boolean) {
  return (one: Row, other: Row): number => {
    const [a, b] = [valueOf(one), valueOf(other)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    const order = typeof a === 'string' ? a.localeCompare(String(b)) : a - Number(b)
    return down ? -order : order
  }
}
