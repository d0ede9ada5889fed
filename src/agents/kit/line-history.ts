import { readFile, realpath, stat } from 'node:fs/promises'
import { DragomanError } from '../../protocol/error.ts'
import type { Json } from '../../protocol/json.ts'
import type { HistoryEdit, HistoryPlace, OpenHistory } from '../agent.ts'
import type { Fields } from './fields.ts'
import { openOriginals, type Originals } from './originals.ts'
import { createThinking, thinkingNames, type Line, type ThinkingFormat } from './line-thinking.ts'
import { readJson } from './parse-json.ts'
import { replaceFile } from './replace-file.ts'

/** How results are found and changed in an agent's file of lines. */
export interface LineFormat {
  /** The agent's name. */
  readonly agent: string
  /** The results in a line, by call id. */
  resultsIn(line: Fields): readonly (readonly [call: string, result: Json])[]
  /** The line with replaced results. */
  withResults(line: Fields, results: ReadonlyMap<string, Json>): Fields
  /** A result after an edit, in the same shape. */
  edited(result: Json, edit: HistoryEdit): Json
  /** How thinking is removed and restored, if it is valid only after the exact messages that came before it. */
  readonly thinking?: ThinkingFormat
}

/** A longer history would take too much memory. */
const mostBytes = 256 * 1024 * 1024

/** Opens a file of an agent's own lines. Throws an error with a sentence if the file is not as expected. */
export async function openLineHistory(
  format: LineFormat,
  link: string,
  { dataFolder }: HistoryPlace,
): Promise<OpenHistory> {
  const file = await realpath(link)
  const before = await stat(file)
  if (before.size > mostBytes) throw unexpected('it is too long to be changed')
  const bytes = await readFile(file)
  const whole = bytes.toString('utf8')
  if (!Buffer.from(whole).equals(bytes)) throw unexpected('it is not UTF-8')
  const lines = whole.split('\n').map(lineOf)
  const calls = lines.flatMap(({ fields }) => (fields === null ? [] : callsIn(format, fields)))
  if (new Set(calls).size < calls.length) throw unexpected('it has two results for one call')
  const thoughts = format.thinking === undefined ? [] : thinkingNames(format.thinking, lines)
  const originals = await openOriginals(dataFolder, format.agent, [...calls, ...thoughts])
  return {
    calls: new Set(calls),
    async write(edits) {
      const text = changed(format, lines, originals, edits)
      if (text === whole) return
      const now = await stat(file)
      if (now.size !== before.size || now.mtimeMs !== before.mtimeMs)
        throw unexpected('another program is writing to it')
      // Save the originals before changing anything.
      await originals.save()
      await replaceFile(file, text, before.mode & 0o777)
    },
  }
}

const unexpected = (why: string) => new DragomanError('agent-unavailable', why)

const callsIn = (format: LineFormat, line: Fields) => format.resultsIn(line).map(([call]) => call)

/** A line that would change when it is written again (very long numbers, spaces) stays as it is. */
function lineOf(text: string): Line {
  const reading = text === '' ? null : readJson({ from: 'agent', text })
  const fields = reading?.type === 'object' && JSON.stringify(reading.value) === text ? reading.value : null
  return { text, fields }
}

/** The new file: with these edits, and with the thinking that belongs after exactly these messages. */
function changed(
  format: LineFormat,
  lines: readonly Line[],
  originals: Originals,
  edits: readonly HistoryEdit[],
): string {
  const byCall = new Map(edits.map(edit => [edit.call, edit]))
  const settle = format.thinking === undefined ? null : createThinking(format.thinking, originals)
  const texts = lines.map(({ text, fields }) => {
    if (fields === null) return text
    const results = new Map(
      format.resultsIn(fields).map(([call, result]) => {
        const edit = byCall.get(call)
        return [call, originals.change(call, result, was => (edit ? format.edited(was, edit) : was))]
      }),
    )
    const next = results.size === 0 ? fields : format.withResults(fields, results)
    return JSON.stringify(settle === null ? next : settle(fields, next))
  })
  return texts.join('\n')
}

/** The text of a result after an edit. */
export function editedText(text: string, edit: HistoryEdit): string {
  if (edit.how === 'append') return `${text}\n${edit.text}`
  const lines = text.trimEnd().split('\n')
  const last = edit.keepLast === 0 ? [] : lines.slice(edit.keepFirst).slice(-edit.keepLast)
  return [...lines.slice(0, edit.keepFirst), edit.text, ...last].join('\n')
}
