import { asFields, numberIn, pathsNamed, rangeAsked, textIn, textOfOutput } from 'dragoman/client/work-log'
import { shownPath } from '../shown-path.ts'
import { readNumbered } from './numbered-text.ts'
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
