import type { WorkFile, WorkResult, WorkSubject } from './work-facts.ts'

/** The files that a call is about, in words: one by its name, more by their number. */
export function filesNamed({ files, moreFiles = 0 }: Pick<WorkSubject, 'files' | 'moreFiles'>): string {
  const [first, second, ...rest] = files
  if (first === undefined) return 'a file'
  if (second === undefined) return first.path
  return `${first.path} and ${1 + rest.length + moreFiles} more`
}

/** What was done to files: each kind of change with its verb, and how many lines came and went. */
export function filesChangedWords(subject: WorkSubject, result: WorkResult | null): string {
  const { files, moreFiles = 0 } = subject
  const [first] = files
  if (files.length === 1 && first !== undefined) return oneFile(first, result)
  const count = files.length + moreFiles
  const lines = result?.patch ?? sumOf(files)
  return count === 0 ? 'Changed a file' : `Changed ${filesNamed(subject)}${linesWords(lines)}`
}

function oneFile(file: WorkFile, result: WorkResult | null): string {
  const { path, movedTo } = file
  const lines = linesWords(linesOf(file, result))
  if (movedTo !== undefined) return `Moved ${path} to ${movedTo}${lines}`
  return `${verbFor(file, result)} ${path}${lines}`
}

function verbFor({ kind }: WorkFile, result: WorkResult | null): string {
  if (kind === 'delete') return 'Deleted'
  if (kind === 'add' || result?.created === true) return 'Created'
  return kind === 'write' && result?.created === undefined ? 'Wrote' : 'Changed'
}

function linesOf(file: WorkFile, result: WorkResult | null) {
  if (file.kind === 'delete') return null
  if (result?.patch !== undefined) return result.patch
  return file.added === undefined || file.removed === undefined
    ? null
    : { added: file.added, removed: file.removed }
}

function sumOf(files: readonly WorkFile[]) {
  const added = files.reduce((sum, each) => sum + (each.added ?? 0), 0)
  const removed = files.reduce((sum, each) => sum + (each.removed ?? 0), 0)
  return { added, removed }
}

function linesWords(lines: { readonly added: number; readonly removed: number } | null): string {
  if (lines === null || lines.added + lines.removed === 0) return ''
  const words = [
    ...(lines.added > 0 ? [`+${lines.added}`] : []),
    ...(lines.removed > 0 ? [`−${lines.removed}`] : []),
  ]
  return ` (${words.join(' ')})`
}
