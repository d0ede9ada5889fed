import type { Json } from 'dragoman'
import {
  asFields,
  asList,
  numberIn,
  pathsNamed,
  textIn,
  toolNamed,
  type Fields,
} from 'dragoman/client/work-log'
import { firstIn, layersOf, type ShownCall } from '../sections/shown-call.ts'
import { shownPath } from '../shown-path.ts'
import type { Comparison, Texts } from './compare-lines.ts'
import { knownComparison } from './comparing.ts'
import { linesOf, type DiffLine, type FileDiff, type Hunk } from './file-diff.ts'
import { isEnvelope, readEnvelope } from './read-envelope.ts'
import { readUnified } from './read-unified.ts'

/** Compares two texts; undefined while the worker does. */
type Compare = (texts: Texts) => Comparison | undefined

/** The file changes of a call, line by line: from its result, or else from its input. */
export function diffOf(call: ShownCall, compare: Compare = knownComparison): readonly FileDiff[] {
  const [path = ''] = pathsNamed(call)
  const shown = firstIn(layersOf(call.output), layer => some(shownIn(layer, path, compare)))
  return (shown ?? diffIn(call, path, compare)).map(file => named(file, call.cwd))
}

const named = (file: FileDiff, cwd: string | null | undefined): FileDiff => ({
  ...file,
  path: shownPath(file.path, cwd),
  ...(file.movedTo !== undefined && { movedTo: shownPath(file.movedTo, cwd) }),
})

const some = (files: readonly FileDiff[]) => (files.length > 0 ? files : undefined)

/** What a result shows. */
function shownIn(layer: Fields, path: string, compare: Compare): readonly FileDiff[] {
  const hunks = asList(layer['structuredPatch']).map(structuredHunk)
  if (hunks.some(hunk => hunk.length > 0))
    return [{ path: textIn(layer, 'filePath') ?? path, kind: 'update', hunks }]
  const patch = textIn(asFields(layer['filediff']), 'patch') ?? textIn(layer, 'diff')
  if (patch !== undefined) return patched(patch, path)
  return acpDiffs(layer['content'], compare)
}

/** A hunk in Claude Code's format. */
function structuredHunk(value: Json): Hunk {
  const fields = asFields(value)
  let [before, after] = [numberIn(fields, 'oldStart') ?? 1, numberIn(fields, 'newStart') ?? 1]
  return asList(fields['lines']).flatMap((line): Hunk => {
    if (typeof line !== 'string') return []
    const sign = line[0] === '+' || line[0] === '-' ? line[0] : ' '
    return [
      {
        sign,
        text: line.slice(1),
        before: sign === '+' ? null : before++,
        after: sign === '-' ? null : after++,
      },
    ]
  })
}

/** The changes that an input describes. */
function diffIn(call: ShownCall, path: string, compare: Compare): readonly FileDiff[] {
  const fields = asFields(call.input)
  const patch =
    typeof call.input === 'string' ? call.input : textIn(fields, 'patch', 'patchText', 'patch_text', 'diff')
  if (patch !== undefined) return patched(patch, path)
  const changes = asList(fields['changes'])
  if (changes.length > 0) return changes.flatMap(change => codexChange(asFields(change)))
  const shown = acpDiffs(fields['content'], compare)
  if (shown.length > 0) return shown
  return toolNamed(call.tool, call.agent ?? null).family === 'write'
    ? written(path, fields)
    : replacedIn(path, fields, compare)
}

const patched = (text: string, path: string) =>
  isEnvelope(text) ? readEnvelope(text) : readUnified(text, path)

/** The diffs that an ACP agent shows: old and new text, or a git patch. */
function acpDiffs(content: Json | undefined, compare: Compare): readonly FileDiff[] {
  return asList(content).flatMap((block): readonly FileDiff[] => {
    const fields = asFields(block)
    if (fields['type'] !== 'diff') return []
    const [change = {}] = asList(fields['changes']).map(asFields)
    const path = textIn(fields, 'path') ?? textIn(change, 'path') ?? ''
    const patch = textIn(asFields(fields['patch']), 'text')
    const operation = textIn(asFields(fields['_meta']), 'kind') ?? textIn(change, 'operation')
    const kind = operation === 'add' || operation === 'delete' ? operation : 'update'
    if (patch !== undefined) return readUnified(patch, path).map(file => ({ ...file, kind }))
    const [from, to] = [textIn(fields, 'oldText') ?? '', textIn(fields, 'newText') ?? '']
    const compared = compare({ from, to, first: from === '' || to === '' ? 1 : null })
    return [{ path, kind, ...(compared ?? stillComparing) }]
  })
}

/** A change in the Codex app server's format; for a new or deleted file it is the whole text. */
function codexChange(change: Fields): readonly FileDiff[] {
  const path = textIn(change, 'path') ?? ''
  const diff = textIn(change, 'diff') ?? ''
  const kind = textIn(asFields(change['kind']), 'type') ?? textIn(change, 'kind')
  const movedTo = textIn(asFields(change['kind']), 'move_path')
  if ((kind === 'add' || kind === 'delete') && !diff.startsWith('@@'))
    return [{ path, kind, hunks: [allLines(diff, kind === 'add' ? '+' : '-')] }]
  const [file] = readUnified(diff, path)
  return [{ path, kind: 'update', hunks: file?.hunks ?? [], ...(movedTo !== undefined && { movedTo }) }]
}

const stillComparing = { hunks: [], comparing: true } as const

const allLines = (text: string, sign: '+' | '-'): Hunk =>
  linesOf(text).map((line, at): DiffLine => {
    const place = { before: sign === '-' ? at + 1 : null, after: sign === '+' ? at + 1 : null }
    return { sign, text: line, ...place }
  })

function written(path: string, fields: Fields): readonly FileDiff[] {
  const content = textIn(fields, 'content', 'file_text', 'text')
  return content === undefined ? [] : [{ path, kind: 'write', hunks: [allLines(content, '+')] }]
}

const oldNames = ['old_string', 'oldString', 'old_str', 'oldText', 'old_text', 'old']
const newNames = [
  'new_string',
  'newString',
  'new_str',
  'newText',
  'new_text',
  'new',
  'new_source',
  'file_text',
]

function replacedIn(path: string, fields: Fields, compare: Compare): readonly FileDiff[] {
  const several = asList(fields['edits']).map(asFields)
  const compared = (several.length > 0 ? several : [fields]).flatMap(edit => {
    const [from, to] = [textIn(edit, ...oldNames), textIn(edit, ...newNames)]
    return from === undefined && to === undefined
      ? []
      : [compare({ from: from ?? '', to: to ?? '', first: null })]
  })
  if (compared.includes(undefined)) return [{ path, kind: 'update', ...stillComparing }]
  const hunks = compared.flatMap(each => each?.hunks ?? [])
  const tooLarge = compared.some(each => each?.tooLarge)
  return hunks.length === 0 ? [] : [{ path, kind: 'update', hunks, tooLarge }]
}
