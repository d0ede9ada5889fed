import { generalReason } from '../../sessions/import/imports.ts'
import type { ImportNote } from '../../sessions/import/import-found.ts'
import type { ImportOutcome } from '../../sessions/import/import-transcript.ts'
import type { Shell } from '../shell.ts'
import { counted } from '../terminal/amounts.ts'
import { inertLine } from '../terminal/inert.ts'
import { jsonLine } from '../terminal/json-line.ts'

/** The report of an import, while it runs and at its end. */
export interface ImportReport {
  readonly failed: number
  readonly note: (note: ImportNote) => void
  end(): void
}

type NoteOf<Type extends ImportNote['type']> = Extract<ImportNote, { readonly type: Type }>

/** Reports for people, or as JSON with one value per line. */
export function createReport({ out, err }: Shell, json: boolean): ImportReport {
  const counts = new Map<ImportOutcome, number>()
  const sums = { transcripts: 0, lines: 0, skipped: 0, failed: 0 }
  const reasons = new Map<string, number>()
  const because = (reason: string) => {
    const general = generalReason(reason)
    reasons.set(general, (reasons.get(general) ?? 0) + 1)
  }
  const write = (value: object) => out.write(jsonLine(value))
  const imported = ({ type: _type, ...each }: NoteOf<'imported'>) => {
    sums.transcripts += 1
    sums.lines += each.lines
    counts.set(each.outcome, (counts.get(each.outcome) ?? 0) + 1)
    if (json) write(each)
  }
  const skipped = ({ type: _type, ...line }: NoteOf<'skipped'>) => {
    because(line.reason)
    if (line.isEnd === true) sums.failed += 1
    else sums.skipped += 1
    const word = line.isEnd === true ? err.style.red('error') : 'warning'
    if (json) write({ skipped: line })
    else err.write(`${word} ${inertLine(`${line.file}:${line.line}: ${line.reason}`)}\n`)
  }
  const unread = ({ file, reason }: NoteOf<'unread'>) => {
    sums.failed += 1
    because(reason)
    if (json) write({ file, error: reason })
    else err.write(`${err.style.red('error')} ${inertLine(`${file}: ${reason}`)}\n`)
  }
  return {
    get failed() {
      return sums.failed
    },
    note(note) {
      switch (note.type) {
        case 'imported':
          return imported(note)
        case 'skipped':
          return skipped(note)
        case 'unread':
          return unread(note)
      }
    },
    end() {
      const why = [...reasons].toSorted(([, one], [, other]) => other - one)
      if (json) write({ ...sums, outcomes: Object.fromEntries(counts), reasons: Object.fromEntries(why) })
      else out.write(endText(sums, counts) + why.slice(0, mostReasons).map(reasonLine).join(''))
    },
  }
}

/** A file of another kind can have many reasons. All of them are in the warnings above. */
const mostReasons = 10

const reasonLine = ([reason, count]: readonly [string, number]) =>
  `  ${count.toLocaleString('en')} × ${inertLine(reason)}\n`

const outcomes: readonly (readonly [ImportOutcome, string])[] = [
  ['new', 'new'],
  ['grown', 'grown'],
  ['unchanged', 'unchanged'],
  ['empty', 'empty'],
  ['elsewhere', 'already in another session'],
  ['continued', 'skipped (continued in Dragoman)'],
  ['deleted', 'skipped (deleted in Dragoman)'],
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
