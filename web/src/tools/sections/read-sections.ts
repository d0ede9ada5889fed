import { asFields, numberIn, pathsNamed, rangeAsked, textIn, textOfOutput } from 'dragoman/client/work-log'
import { shownPath } from '../shown-path.ts'
import { restOf } from './rest.ts'
import type { Section } from './section.ts'
import { firstIn, layersOf, type ShownCall } from './shown-call.ts'

/** What a read shows: the text with its line numbers. */
export function readSections(call: ShownCall): readonly Section[] {
  const path = shownPath(pathsNamed(call)[0] ?? '', call.cwd)
  return [
    ...fileSections(call, path),
    ...restOf(call.input, ['file_path', 'filePath', 'path', 'absolute_path']),
  ]
}

function fileSections(call: ShownCall, path: string): readonly Section[] {
  const text = textOfOutput(call.output)
  const numbered = readNumbered(text)
  if (numbered !== null) {
    const { before, first, text: bare, after } = numbered
    return [...note(before), { kind: 'file', path, first, text: bare }, ...note(after)]
  }
  if (text.trim() !== '') return [{ kind: 'file', path, first: rangeAsked(call)?.from ?? 1, text }]
  const file = firstIn(layersOf(call.output), layer => textIn(asFields(layer['file']), 'content'))
  const start = firstIn(layersOf(call.output), layer => numberIn(asFields(layer['file']), 'startLine'))
  return file === undefined ? [] : [{ kind: 'file', path, first: start ?? 1, text: file }]
}

/** Text that an agent adds around the file. */
const note = (text: string): readonly Section[] =>
  text.trim() === '' ? [] : [{ kind: 'text', title: null, text: text.trim() }]

/** Text with line numbers, and the text before and after it. */
interface NumberedText {
  readonly before: string
  /** The number of the first line. */
  readonly first: number
  readonly text: string
  readonly after: string
}

// `     1→text` and `1⇥text` of Claude Code, `00001| text` and `1: text` of OpenCode.
const numbered = /^ *0*(\d{1,9})(?:→|\t|\| ?|: ?)(.*)$/

/** Removes the line numbers that agents put before the lines of a file; null where there are none. */
export function readNumbered(text: string): NumberedText | null {
  const lines = text.split('\n')
  const start = lines.findIndex(line => numbered.test(line))
  // Numbers inside other text are part of it.
  if (start === -1 || start > 5) return null
  const first = Number(numbered.exec(lines[start] ?? '')?.[1])
  const bare: string[] = []
  for (const line of lines.slice(start)) {
    const [, number, rest = ''] = numbered.exec(line) ?? []
    if (Number(number) !== first + bare.length) break
    bare.push(rest)
  }
  return {
    before: lines.slice(0, start).join('\n'),
    first,
    text: bare.join('\n'),
    after: lines.slice(start + bare.length).join('\n'),
  }
}
