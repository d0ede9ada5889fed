import { asObject, asList, type Json } from '../json.ts'
import { toolOf, type SomeCall } from './call.ts'
import { textIn, type Fields } from './fields.ts'
import type { FileEdit, Replaced } from './file-edit.ts'
import { patchesIn } from './patch.ts'
import { pathsNamed } from './path.ts'

/** What a call changes, file by file; nothing for a call that changes none. */
export function editsOf(call: SomeCall): readonly FileEdit[] {
  const { family } = toolOf(call)
  if (family !== 'edit' && family !== 'write') return []
  const fields = asObject(call.input)
  const patch = patchTextOf(call.input)
  if (patch !== undefined) return patchesIn(patch)
  const changes = asList(fields['changes'])
  if (changes.length > 0) return changes.flatMap(change => editsInChange(asObject(change)))
  const shown = diffsIn(fields['content'])
  if (shown.length > 0) return shown
  return pathsNamed(call).map(path => (family === 'write' ? written(path, fields) : replacedIn(path, fields)))
}

function patchTextOf(input: Json | undefined): string | undefined {
  if (typeof input === 'string') return input
  return textIn(asObject(input), 'patch', 'patchText', 'patch_text', 'diff')
}

/** Complete new content; whether the file existed is unknown. */
function written(path: string, fields: Fields): FileEdit {
  const content = textIn(fields, 'content', 'file_text', 'text')
  return {
    path,
    kind: 'write',
    replaced: [],
    lines: content === undefined ? null : { added: countLines(content), removed: 0 },
  }
}

function replacedIn(path: string, fields: Fields): FileEdit {
  const several = asList(fields['edits']).map(asObject)
  const replaced = (several.length > 0 ? several : [fields]).flatMap(replacement)
  return { path, kind: 'update', replaced, lines: replaced.length === 0 ? null : changedLines(replaced) }
}

function replacement(fields: Fields): readonly Replaced[] {
  const from = valueIn(fields, ['old_string', 'oldString', 'old_str', 'oldText', 'old_text', 'old'])
  const to = valueIn(fields, ['new_string', 'newString', 'new_str', 'newText', 'new_text', 'new'])
  return from === undefined && to === undefined ? [] : [{ from: from ?? '', to: to ?? '' }]
}

const valueIn = (fields: Fields, names: readonly string[]) =>
  names.map(name => fields[name]).find(value => typeof value === 'string')

/** A change as the Codex app server reports it. */
function editsInChange(change: Fields): readonly FileEdit[] {
  const path = textIn(change, 'path')
  if (path === undefined) return []
  const kind = textIn(asObject(change['kind']), 'type') ?? textIn(change, 'kind')
  const movedTo = textIn(asObject(change['kind']), 'move_path')
  const diff = textIn(change, 'diff') ?? ''
  if (kind === 'add' || kind === 'delete') {
    const count = countLines(diff)
    const lines = kind === 'add' ? { added: count, removed: 0 } : { added: 0, removed: count }
    return [{ path, kind, replaced: [], lines }]
  }
  const lines = { added: signed(diff, '+'), removed: signed(diff, '-') }
  return [{ path, kind: 'update', ...(movedTo !== undefined && { movedTo }), replaced: [], lines }]
}

const signed = (diff: string, sign: string) =>
  diff.split('\n').filter(line => line.startsWith(sign) && !line.startsWith(sign.repeat(3))).length

/** The diffs that an ACP agent shows of an edit: old and new text, or a git patch. */
export function diffsIn(content: Json | undefined): readonly FileEdit[] {
  return asList(content).flatMap((block): readonly FileEdit[] => {
    const fields = asObject(block)
    if (fields['type'] !== 'diff') return []
    const changes = asList(fields['changes']).map(asObject)
    const path = textIn(fields, 'path') ?? textIn(changes[0] ?? {}, 'path')
    if (path === undefined) return []
    const reported = textIn(asObject(fields['_meta']), 'kind') ?? textIn(changes[0] ?? {}, 'operation')
    const patch = textIn(asObject(fields['patch']), 'text')
    const from = textIn(fields, 'oldText') ?? ''
    const to = textIn(fields, 'newText') ?? ''
    const kind = reported === 'add' || reported === 'delete' ? reported : 'update'
    if (patch !== undefined)
      return [{ path, kind, replaced: [], lines: { added: signed(patch, '+'), removed: signed(patch, '-') } }]
    return [{ path, kind, replaced: [{ from, to }], lines: changedLines([{ from, to }]) }]
  })
}

/** How many lines differ, when what is the same at both ends is left out. */
function changedLines(all: readonly Replaced[]): { readonly added: number; readonly removed: number } {
  let added = 0
  let removed = 0
  for (const { from, to } of all) {
    const before = linesOf(from)
    const after = linesOf(to)
    let start = 0
    while (start < before.length && start < after.length && before[start] === after[start]) start += 1
    let end = 0
    const most = Math.min(before.length, after.length) - start
    while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1
    removed += before.length - start - end
    added += after.length - start - end
  }
  return { added, removed }
}

function linesOf(text: string): readonly string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

/** How many lines a text has. */
export const countLines = (text: string): number => linesOf(text).length
