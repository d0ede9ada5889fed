import type { PolicyReport, Report } from './report.ts'

const head = [
  'policy',
  'message tokens',
  'cost, 5 min',
  'cost, 1 h',
  'cost, no cache',
  'breaks/request',
  '> 160k',
  'edits lost',
  'split',
  'identifiers lost',
  'compile ms (max)',
]

/** The table for a terminal: changes in per cent, losses as shares of what had a source. */
export function tableOf(report: Report): string {
  const rows = alignedRows(report)
  return rows.map(row => row.join('  ')).join('\n')
}

/** The same for a document. */
export function markdownOf(report: Report): string {
  const [first = [], ...rest] = alignedRows(report)
  const line = first.map((cell, column) =>
    column === 0 ? '-'.repeat(cell.length) : `${'-'.repeat(cell.length - 1)}:`,
  )
  return [first, line, ...rest].map(row => `| ${row.join(' | ')} |`).join('\n')
}

function alignedRows({ policies }: Report): readonly (readonly string[])[] {
  const rows = [head, ...policies.map(rowOf)]
  const widths = head.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  return rows.map(row =>
    row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    ),
  )
}

const rowOf = (one: PolicyReport): readonly string[] => [
  one.name,
  change(one.messageTokensSaved),
  change(one.costSaved),
  change(one.costSavedOneHour),
  change(one.costSavedNoCache),
  one.cacheBreaksPerRequest.toFixed(4),
  String(one.over160k),
  `${(one.editsLost * 100).toFixed(2)} %`,
  `${(one.editsSplit * 100).toFixed(2)} %`,
  `${(one.identifiersLost * 100).toFixed(2)} %`,
  one.compileMilliseconds === null
    ? '–'
    : `${one.compileMilliseconds.mean.toFixed(2)} (${one.compileMilliseconds.slowest.toFixed(0)})`,
]

/** Savings are negative: the table shows by how much the number changes. */
function change(saved: number): string {
  const percent = Math.abs(saved * 100).toFixed(1)
  return `${percent === '0.0' ? '' : saved > 0 ? '−' : '+'}${percent} %`
}
