import type { DiffLine, FileDiff } from './file-diff.ts'

interface Draft {
  readonly path: string
  readonly kind: FileDiff['kind']
  movedTo?: string
  readonly hunks: DiffLine[][]
}

const head = /^\*\*\* (Add|Update|Delete) File: (.+)$/
const kinds: Readonly<Record<string, FileDiff['kind']>> = { Add: 'add', Update: 'update', Delete: 'delete' }

/** Whether a text is a patch of the form `*** Begin Patch`. */
export const isEnvelope = (text: string): boolean =>
  /^\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File: )/m.test(text)

/**
 * The files in a patch of the form `*** Begin Patch … *** End Patch`. It has no line numbers, but a new file
 * starts at 1.
 */
export function readEnvelope(text: string): readonly FileDiff[] {
  const drafts: Draft[] = []
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const [, kind = '', path = ''] = head.exec(line) ?? []
    if (path !== '') drafts.push({ path: path.trim(), kind: kinds[kind] ?? 'update', hunks: [] })
    else if (drafts.length > 0) takeLine(drafts.at(-1), line)
  }
  return drafts.map(({ hunks, ...file }) => ({ ...file, hunks: hunks.filter(hunk => hunk.length > 0) }))
}

function takeLine(draft: Draft | undefined, line: string): void {
  if (draft === undefined) return
  const moved = /^\*\*\* Move to: (.+)$/.exec(line)?.[1]
  if (moved !== undefined) draft.movedTo = moved.trim()
  else if (line.startsWith('@@')) draft.hunks.push(anchorOf(line))
  else if (!line.startsWith('***') && line !== '') takeChange(draft, line)
}

/** The text after `@@` names the position: a line of the file. */
function anchorOf(line: string): DiffLine[] {
  const place = line.slice(2).trim()
  return place === '' ? [] : [{ sign: ' ', text: place, before: null, after: null }]
}

function takeChange(draft: Draft, line: string): void {
  const sign = line[0] === '+' || line[0] === '-' ? line[0] : ' '
  const hunk = draft.hunks.at(-1) ?? []
  if (draft.hunks.length === 0) draft.hunks.push(hunk)
  const after = draft.kind === 'add' && sign === '+' ? hunk.length + 1 : null
  hunk.push({ sign, text: line.slice(1), before: null, after })
}
