import type { WorkFilter } from '../catalogue/list-work.ts'
import { createWorkLog } from '../projections/work-log/work-log.ts'
import type { WorkLogEntry } from '../projections/work-log/work-log-entry.ts'
import { isFamily } from '../protocol/known-tools.ts'
import type { EntryView } from './entry-view.ts'
import { inertLine } from './terminal/inert.ts'
import type { Output } from './terminal/output.ts'
import type { Style } from './terminal/style.ts'

const marks = { pending: '…', success: '✓', failure: '✗', partial: '~' } as const

/** A line of the work log for people: first entry, outcome and summary; a subagent's work is indented. */
export function workLine(entry: WorkLogEntry, style: Style): string {
  const { outcome, thread, start, sentence } = entry
  const paint = { pending: style.blue, success: style.green, failure: style.red, partial: style.yellow }
  const place = style.dim(String(start?.seq ?? '').padStart(6))
  const indent = thread === null ? '' : '  '
  return `${place}  ${indent}${paint[outcome](marks[outcome])} ${inertLine(sentence)}\n`
}

/** Shows each tool call when it is done, as entries come. */
export function createWorkLogView(
  out: Output,
  filter: Pick<WorkFilter, 'tool' | 'outcome' | 'interaction'>,
  lineOf: (entry: WorkLogEntry) => string,
): Pick<EntryView, 'show'> {
  const log = createWorkLog()
  return {
    async show(entry) {
      log.apply(entry)
      for (const each of log.news()) if (isWanted(each, filter)) out.write(lineOf(each))
      await out.drained()
    },
  }
}

/** Running calls are shown only on request. */
function isWanted(
  entry: WorkLogEntry,
  { tool, outcome, interaction }: Pick<WorkFilter, 'tool' | 'outcome' | 'interaction'>,
): boolean {
  if (entry.outcome !== outcome && (outcome !== undefined || entry.outcome === 'pending')) return false
  if (interaction !== undefined && entry.interaction !== interaction) return false
  if (tool === undefined) return true
  return isFamily(tool) ? entry.family === tool : entry.tool === tool
}
