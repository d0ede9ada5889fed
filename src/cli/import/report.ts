import type { SkippedLine } from '../../agents/importer.ts'
import type { Imported, ImportOutcome } from '../../sessions/import/import-transcript.ts'
import type { Shell } from '../shell.ts'
import { counted } from '../terminal/amounts.ts'
import { inertLine } from '../terminal/inert.ts'
import type { Unread } from './find-transcripts.ts'
import { jsonLine } from '../terminal/json-line.ts'

/** The report of an import, while it runs and at its end. */
export interface ImportReport {
  readonly failed: number
  imported(agent: string, file: string, imported: Imported): void
  skipped(line: SkippedLine): void
  unread(unread: Unread): void
  end(): void
}

/** Reports for people, or as JSON with one value per line. */
export function createReport({ out, err }: Shell, json: boolean): ImportReport {
  const counts = new Map<ImportOutcome, number>()
  const sums = { transcripts: 0, lines: 0, skipped: 0, failed: 0 }
  const write = (value: object) => out.write(jsonLine(value))
  return {
    get failed() {
      return sums.failed
    },
    imported(agent, file, imported) {
      sums.transcripts += 1
      sums.lines += imported.lines
      counts.set(imported.outcome, (counts.get(imported.outcome) ?? 0) + 1)
      if (json) write({ agent, file, ...imported })
    },
    skipped(line) {
      if (line.isEnd === true) sums.failed += 1
      else sums.skipped += 1
      if (json) write({ skipped: line })
      else {
        const word = line.isEnd === true ? err.style.red('error') : 'warning'
        err.write(`${word} ${inertLine(`${line.file}:${line.line}: ${line.reason}`)}\n`)
      }
    },
    unread({ file, reason }) {
      sums.failed += 1
      if (json) write({ file, error: reason })
      else err.write(`${err.style.red('error')} ${inertLine(`${file}: ${reason}`)}\n`)
    },
    end() {
      if (json) write({ ...sums, outcomes: Object.fromEntries(counts) })
      else out.write(endText(sums, counts))
    },
  }
}

const outcomes: readonly (readonly [ImportOutcome, string])[] = [
  ['new', 'new'],
  ['grown', 'grown'],
  ['unchanged', 'unchanged'],
  ['empty', 'empty'],
  ['elsewhere', 'already a session here'],
  ['continued', 'skipped because continued here'],
  ['deleted', 'skipped because deleted here'],
]

function endText(
  { transcripts, lines, skipped, failed }: Record<'transcripts' | 'lines' | 'skipped' | 'failed', number>,
  counts: ReadonlyMap<ImportOutcome, number>,
): string {
  if (transcripts + failed === 0) return 'No transcripts found.\n'
  const kinds = outcomes
    .filter(([outcome]) => counts.has(outcome))
    .map(([outcome, words]) => `${(counts.get(outcome) ?? 0).toLocaleString('en')} ${words}`)
  return [
    `${counted(transcripts, 'transcript')}: ${kinds.join(', ') || 'none read'}.`,
    `${counted(lines, 'line')} added, ${counted(skipped, 'line')} skipped,`,
    `${counted(failed, 'file')} could not be read.\n`,
  ].join(' ')
}
