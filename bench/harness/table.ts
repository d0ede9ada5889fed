import { isReached, type Bench, type Measured, type Report } from './bench.ts'

/** A bench and its result. */
export interface Outcome extends Report {
  readonly bench: Bench
}

/** The head of the table. */
const head: readonly string[] = ['bench', 'work', 'compared with', 'ours', 'peer', 'ratio', 'goal', 'reached']

/** The table's rows, cell by cell. */
function rowsOf(outcomes: readonly Outcome[]): readonly (readonly string[])[] {
  return outcomes.flatMap(({ bench: { name, what, beside }, measured }) =>
    measured.map(one => [
      name,
      one.part === undefined ? what : `${what}: ${one.part}`,
      beside,
      one.ours,
      one.peer,
      ratioText(one),
      `${one.goal.kind === 'at-least' ? '≥' : '≤'} ${one.goal.ratio}`,
      reachedText(one),
    ]),
  )
}

function ratioText({ ratio, spread, note }: Measured): string {
  if (ratio === null) return note ?? 'not measured'
  const range = spread === undefined ? '' : ` (${spread.map(digits).join('–')})`
  return `${digits(ratio)}${range}`
}

const digits = (value: number) =>
  value >= 20 ? value.toFixed(0) : value >= 3 ? value.toFixed(1) : value.toFixed(2)

function reachedText(measured: Measured): string {
  const isIt = isReached(measured)
  return isIt === null ? '–' : isIt ? 'yes' : 'no'
}

/** The table for a terminal, columns in line. */
export function plainTable(outcomes: readonly Outcome[]): string {
  const rows = [head, ...rowsOf(outcomes)].map(row => row.with(beside, ''))
  const widths = widthsOf(rows)
  return rows.map(row => padded(row, widths).join('  ').trimEnd()).join('\n')
}

// Too wide for a terminal.
const beside = 2

/** The table for a document. */
export function markdownTable(outcomes: readonly Outcome[]): string {
  const rows = [head, ...rowsOf(outcomes)]
  const widths = widthsOf(rows)
  const [first = [], ...rest] = rows.map(row => padded(row, widths))
  const line = widths.map(width => '-'.repeat(width))
  return [first, line, ...rest].map(row => `| ${row.join(' | ')} |`).join('\n')
}

const widthsOf = (rows: readonly (readonly string[])[]) =>
  head.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))

const padded = (row: readonly string[], widths: readonly number[]) =>
  row.map((cell, column) => cell.padEnd(widths[column] ?? 0))
