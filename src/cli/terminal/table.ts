import { columnsOf, padTo, shorten } from './columns.ts'
import type { Style } from './style.ts'

/** One column of a table. */
export interface Column<Row> {
  readonly title: string
  readonly text: (row: Row) => string
  /** The style of a cell; it does not change the width. */
  readonly paint?: (row: Row, text: string) => string
  /** The column that is shortened when the table is too wide. */
  readonly shrinks?: boolean
}

const gap = 2
const least = 8

/** Rows under their titles, within a width. */
export function tableText<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { style, width }: { readonly style: Style; readonly width: number },
): string {
  const widths = fit(
    columns,
    columns.map(column => widest(column, rows)),
    width,
  )
  const lineOf = (cells: readonly string[]) => `${cells.join(' '.repeat(gap)).trimEnd()}\n`
  const cell = (text: string, index: number) => {
    const room = widths[index] ?? 0
    return padTo(shorten(text, room), room)
  }
  const titles = columns.map(({ title }, index) => style.dim(cell(title, index)))
  const lines = rows.map(row =>
    columns.map(({ text, paint = (_, same) => same }, index) => paint(row, cell(text(row), index))),
  )
  return [titles, ...lines].map(lineOf).join('')
}

const widest = <Row>({ title, text }: Column<Row>, rows: readonly Row[]) =>
  Math.max(columnsOf(title), ...rows.map(row => columnsOf(text(row))))

function fit<Row>(columns: readonly Column<Row>[], widths: readonly number[], width: number) {
  const whole = widths.reduce((sum, each) => sum + each + gap, -gap)
  const excess = Math.max(0, whole - width)
  return widths.map((each, index) =>
    columns[index]?.shrinks === true ? Math.max(Math.min(each, least), each - excess) : each,
  )
}
