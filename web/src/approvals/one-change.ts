import type { FileDiff } from '../tools/diff/file-diff.ts'
import { fieldsOf, textIn, type Fields } from './json-fields.ts'

/** All field names that agents use for a change, in any spelling. */
const likeChange =
  /^(?:old|new)(?:_?str(?:ing)?|_?text|_source)?$|^(?:patch(?:_?text)?|diff|file_text|content|text|edits|changes)$/i

/** The fields that a diff is read from. */
const read =
  /^(?:old(?:_string|String|_str|Text|_text)?|new(?:_string|String|_str|Text|_text|_source)?|patch(?:Text|_text)?|diff|file_text|content|text|edits|changes)$/

/**
 * Whether an input describes exactly one change. With several, only one would be compared, and the tool might
 * apply another: users must see what they allow.
 */
export function isOneChange(input: unknown): boolean {
  const fields = fieldsOf(input)
  const { edits } = fields
  return isOne(fields) && (!Array.isArray(edits) || edits.every(each => isOne(fieldsOf(each))))
}

function isOne(fields: Fields): boolean {
  const names = Object.keys(fields).filter(name => likeChange.test(name))
  if (!names.every(name => read.test(name))) return false
  const [old, ...olds] = names.filter(name => name.startsWith('old'))
  const [changed, ...others] = names.filter(name => !name.startsWith('old'))
  if (olds.length > 0 || others.length > 0) return false
  return old === undefined || changed === undefined || changed.startsWith('new')
}

/** Fields with the value false, which a tool card leaves out. */
export const falseFields = (input: unknown): Fields =>
  Object.fromEntries(Object.entries(fieldsOf(input)).filter(([, value]) => value === false))

/** Whether the files of an edit show every line that its patches add or remove: a tool may also apply what readers skip. */
export function hasEveryLine(input: unknown, files: readonly FileDiff[]): boolean {
  const lines = patchesIn(input).flatMap(patch => patch.replaceAll(fileHead, '').match(changedLine) ?? [])
  const shown = files.flatMap(({ hunks }) => hunks.flat()).filter(({ sign }) => sign !== ' ')
  return lines.length <= shown.length
}

const fileHead = /^--- .*\n\+\+\+ .*$/gm
const changedLine = /^[+-]/gm

function patchesIn(input: unknown): readonly string[] {
  if (typeof input === 'string') return [input]
  const { changes, content, ...fields } = fieldsOf(input)
  const own = ['patch', 'patchText', 'patch_text', 'diff'].map(name => textIn(fields, name))
  const ofChanges = listOf(changes).map(change => textIn(fieldsOf(change), 'diff'))
  const ofContent = listOf(content).map(block => textIn(fieldsOf(fieldsOf(block)['patch']), 'text'))
  return [...own, ...ofChanges, ...ofContent].filter(patch => patch !== null)
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
