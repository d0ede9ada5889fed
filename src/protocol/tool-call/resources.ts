import { asObject, type Json } from '../json.ts'
import type { ToolFamily } from '../known-tools.ts'
import { toolOf, type SomeCall } from './call.ts'
import { commandOf } from './command.ts'
import { editsOf } from './edits.ts'
import { numberIn, textIn } from './fields.ts'
import { fullPath, pathsNamed } from './path.ts'

/** Lines of a file, counted from 1, both ends included; `to` is null for the end of the file. */
export interface LineRange {
  readonly from: number
  readonly to: number | null
}

/** What a call is about, under one key for every call about the same. */
export interface Resource {
  /** `file:/abs/path`, `list:…`, `search:…`, `command:…`, `url:…`, `query:…`, `plan:…`. */
  readonly key: string
  /** Which lines, for a read of a part of a file. */
  readonly range?: LineRange
}

type Reader = (call: SomeCall) => readonly Resource[]

/** The resources of a call, as far as its input shows; none when that is unknown. */
export function resourcesOf(call: SomeCall): readonly Resource[] {
  return readers[toolOf(call).family](call)
}

const under =
  (kind: string, ...names: readonly string[]): Reader =>
  ({ input }) =>
    keyed(kind, textIn(asObject(input), ...names))

const searched =
  (kind: string): Reader =>
  call => [{ key: `${kind}:${canonical(withFullPath(call))}` }]

const nothing: Reader = () => []

const readers: Readonly<Record<ToolFamily, Reader>> = {
  read: filesRead,
  write: filesChanged,
  edit: filesChanged,
  list: searched('list'),
  search: searched('search'),
  run: commandRun,
  watch: under('process', 'bash_id', 'shell_id', 'task_id', 'session_id'),
  fetch: under('url', 'url', 'prompt'),
  'web-search': under('query', 'query', 'search_term'),
  todo: () => [{ key: 'plan:todos' }],
  task: under('plan', 'taskId', 'id'),
  skill: under('skill', 'skill', 'name', 'command'),
  plan: nothing,
  ask: nothing,
  delegate: nothing,
  helper: nothing,
  recall: nothing,
  other: nothing,
}

const keyed = (kind: string, name: string | undefined): readonly Resource[] =>
  name === undefined ? [] : [{ key: `${kind}:${name}` }]

/** The key of a file. */
export const fileKey = (path: string, cwd?: string | null): string => `file:${fullPath(path, cwd)}`

function filesRead(call: SomeCall): readonly Resource[] {
  const range = rangeAsked(call)
  return pathsNamed(call).map(path => ({
    key: fileKey(path, call.cwd),
    ...(range !== null && { range }),
  }))
}

/** The lines that a read asks for; null for the whole file. */
export function rangeAsked({ input }: Pick<SomeCall, 'input'>): LineRange | null {
  const fields = asObject(input)
  const start = numberIn(fields, 'offset', 'start_line', 'startLine', 'line_start', 'from', 'line')
  const end = numberIn(fields, 'end_line', 'endLine', 'line_end', 'to')
  const limit = numberIn(fields, 'limit', 'num_lines')
  if (start === undefined && end === undefined && limit === undefined) return null
  const from = Math.max(1, start ?? 1)
  if (end !== undefined) return { from, to: end }
  return { from, to: limit === undefined ? null : from + limit - 1 }
}

function filesChanged(call: SomeCall): readonly Resource[] {
  const edits = editsOf(call)
  const paths =
    edits.length === 0
      ? pathsNamed(call)
      : edits.flatMap(({ path, movedTo }) => (movedTo === undefined ? [path] : [path, movedTo]))
  return [...new Set(paths.map(path => fileKey(path, call.cwd)))].map(key => ({ key }))
}

function commandRun(call: SomeCall): readonly Resource[] {
  const run = commandOf(call)
  if (run === null) return []
  const folder = run.cwd === null ? '' : fullPath(run.cwd, call.cwd)
  return [{ key: `command:${folder}:${run.command.trim()}` }]
}

/** The input of a search, its folder in one spelling; what only describes the call is left out. */
function withFullPath(call: SomeCall): Json {
  const { description: _, ...rest } = asObject(call.input)
  const [path] = pathsNamed(call)
  const folder = path === undefined ? (call.cwd ?? null) : fullPath(path, call.cwd)
  const named = ['path', 'dir_path', 'filePath', 'file_path', 'absolute_path']
  const others = Object.entries(rest).filter(([name, value]) => !named.includes(name) && value !== undefined)
  return { ...(Object.fromEntries(others) as Record<string, Json>), path: folder }
}

/** JSON with its fields in order, so that the same is written the same. */
function canonical(value: Json): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : each,
  )
}
