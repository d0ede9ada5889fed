import { textOfOutput, asFields, textIn, type ToolFamily, type Fields } from 'dragoman/client/work-log'
import type { Json } from 'dragoman'
import { askSections } from './ask-sections.ts'
import { dataSections } from './data-sections.ts'
import { delegateSections, helperSections } from './delegate-sections.ts'
import { editSections } from './edit-sections.ts'
import { planSections, todoSections } from './plan-sections.ts'
import { readSections } from './read-sections.ts'
import { outputAs, restOf } from './rest.ts'
import { runSections, wrong } from './run-sections.ts'
import { listSections, searchSections, webSearchSections } from './search-sections.ts'
import type { Section, Picture } from './section.ts'
import type { ShownCall } from './shown-call.ts'

type Show = (call: ShownCall, exit: number | null) => readonly Section[]

/** What an opened card shows of a call, by what its tool is for. */
export function sectionsOf(call: ShownCall, family: ToolFamily, exit: number | null): readonly Section[] {
  const pictures = picturesIn(call.output)
  const isInTerminal = family === 'run'
  return [
    ...(call.error !== undefined && !isInTerminal ? [wrong(call.error)] : []),
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

/** Pictures of these kinds are only points of colour. */
const kinds = /^image\/(?:png|jpe?g|gif|webp|avif|bmp)$/
const most = 12

/** The pictures that are in an output itself. */
export function picturesIn(output: Json | undefined): readonly Picture[] {
  const found = new Map<string, Picture>()
  look(output ?? null, 0, found)
  return [...found.values()]
}

function look(value: Json, depth: number, found: Map<string, Picture>): void {
  if (typeof value !== 'object' || value === null || depth > 6 || found.size >= most) return
  const picture = pictureOf(asFields(value))
  if (picture !== null) found.set(picture.address, picture)
  else for (const each of Object.values(value)) look(each, depth + 1, found)
}

/** An image in the format of the Anthropic API, MCP and ACP, Claude Code, or OpenCode and the AI SDK. */
function pictureOf(fields: Fields): Picture | null {
  const source = asFields(fields['source'])
  const kind =
    textIn(source, 'media_type') ??
    textIn(fields, 'mimeType', 'mediaType', 'mime', 'media_type', 'type') ??
    ''
  const data = textIn(source, 'data') ?? textIn(fields, 'data', 'base64')
  const name = textIn(fields, 'filename', 'name', 'title') ?? 'Image from the tool'
  if (data !== undefined && kinds.test(kind) && /^[\w+/=\s-]+$/.test(data.slice(0, 200)))
    return { address: `data:${kind};base64,${data}`, name }
  const address = textIn(fields, 'url', 'image_url', 'imageUrl')
  const type = /^data:([^;,]+);base64,/.exec(address ?? '')?.[1]
  return address !== undefined && type !== undefined && kinds.test(type) ? { address, name } : null
}
