import { textOfOutput, type ToolFamily } from 'dragoman/client/work-log'
import { askSections } from './ask-sections.ts'
import { dataSections } from './data-sections.ts'
import { delegateSections, helperSections } from './delegate-sections.ts'
import { editSections } from './edit-sections.ts'
import { picturesIn } from './pictures-in.ts'
import { planSections, todoSections } from './plan-sections.ts'
import { readSections } from './read-sections.ts'
import { outputAs, restOf } from './rest.ts'
import { runSections, wrong } from './run-sections.ts'
import { listSections, searchSections, webSearchSections } from './search-sections.ts'
import type { Section } from './section.ts'
import type { ShownCall } from './shown-call.ts'

type Show = (call: ShownCall, exit: number | null) => readonly Section[]

/** What an opened card shows of a call, by what its tool is for. */
export function sectionsOf(call: ShownCall, family: ToolFamily, exit: number | null): readonly Section[] {
  const pictures = picturesIn(call.output)
  const isTold = family === 'run'
  return [
    ...(call.error !== undefined && !isTold ? [wrong(call.error)] : []),
    ...(pictures.length > 0 ? [{ kind: 'pictures', pictures } as const] : []),
    ...shows[family](call, exit),
  ]
}

const fetched: Show = call => [
  ...restOf(call.input, []),
  ...outputAs('markdown', 'Answer', textOfOutput(call.output), call.output),
]

const printed: Show = call => {
  const text = textOfOutput(call.output)
  const shown = text === '' ? outputAs('text', 'Result', '', call.output) : []
  const terminal: Section = { kind: 'terminal', command: null, output: text, errors: '' }
  return [...restOf(call.input, []), ...(text === '' ? shown : [terminal])]
}

const shows: Readonly<Record<ToolFamily, Show>> = {
  read: readSections,
  write: editSections,
  edit: editSections,
  list: listSections,
  search: searchSections,
  run: runSections,
  watch: printed,
  fetch: fetched,
  'web-search': webSearchSections,
  todo: todoSections,
  task: todoSections,
  plan: planSections,
  ask: askSections,
  delegate: delegateSections,
  helper: helperSections,
  skill: fetched,
  recall: dataSections,
  other: dataSections,
}
