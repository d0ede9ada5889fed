import type { FileEdit, Replaced } from './file-edit.ts'

interface Draft {
  path: string
  kind: 'add' | 'update' | 'delete'
  movedTo?: string
  readonly replaced: Replaced[]
  from: string[]
  to: string[]
  added: number
  removed: number
}

const header = /^\*\*\* (Add|Update|Delete) File: (.+)$/

/** The changes in a text of the form `*** Begin Patch … *** Update File: a.ts … *** End Patch`. */
export function patchesIn(text: string): readonly FileEdit[] {
  const drafts: Draft[] = []
  for (const line of text.split('\n')) {
    const [, kind, path] = header.exec(line) ?? []
    if (kind !== undefined && path !== undefined) drafts.push(begun(kind, path))
    else takeLine(drafts.at(-1), line)
  }
  return drafts.map(finished)
}

function begun(kind: string, path: string): Draft {
  const change = kind === 'Add' ? 'add' : kind === 'Delete' ? 'delete' : 'update'
  return { path: path.trim(), kind: change, replaced: [], from: [], to: [], added: 0, removed: 0 }
}

function takeLine(draft: Draft | undefined, line: string): void {
  if (draft === undefined) return
  const moved = /^\*\*\* Move to: (.+)$/.exec(line)?.[1]
  if (moved !== undefined) draft.movedTo = moved.trim()
  else if (line.startsWith('@@') || line.startsWith('***')) endHunk(draft)
  else takeChange(draft, line)
}

function takeChange(draft: Draft, line: string): void {
  const [sign] = line
  if (sign === '+') draft.added += 1
  if (sign === '-') draft.removed += 1
  if (sign !== '+') draft.from.push(line.slice(1))
  if (sign !== '-') draft.to.push(line.slice(1))
}

function endHunk(draft: Draft): void {
  if (draft.kind === 'update' && draft.from.length + draft.to.length > 0)
    draft.replaced.push({ from: draft.from.join('\n'), to: draft.to.join('\n') })
  draft.from = []
  draft.to = []
}

function finished(draft: Draft): FileEdit {
  endHunk(draft)
  const { path, kind, movedTo, replaced, added, removed } = draft
  const lines = kind === 'delete' ? null : { added, removed }
  return { path, kind, ...(movedTo !== undefined && { movedTo }), replaced, lines }
}
