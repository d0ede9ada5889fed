import type { DiffLine, FileDiff, Hunk } from './file-diff.ts'

interface Draft {
  path: string
  movedTo: string | undefined
  kind: FileDiff['kind']
  readonly hunks: DiffLine[][]
  before: number
  after: number
  /** How many lines the head of the hunk has promised. */
  left: { before: number; after: number }
}

const hunkHead = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** The files in a unified diff, as git, jsdiff and diff write it. `path` is the file's where the diff does not name one. */
export function readUnified(text: string, path = ''): readonly FileDiff[] {
  const drafts: Draft[] = []
  const draft = () => drafts.at(-1) ?? begin(drafts, path)
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const last = drafts.at(-1)
    if (last !== undefined && isInside(last, line)) takeLine(last, line)
    else if (hunkHead.test(line)) openHunk(draft(), line)
    else takeHead(drafts, line, path)
  }
  return drafts
    .map(finished)
    .filter(({ hunks, movedTo, kind }) => hunks.length > 0 || movedTo || kind !== 'update')
}

function begin(drafts: Draft[], path: string): Draft {
  const left = { before: 0, after: 0 }
  const draft: Draft = { path, movedTo: undefined, kind: 'update', hunks: [], before: 0, after: 0, left }
  drafts.push(draft)
  return draft
}

const isInside = ({ hunks, left }: Draft, line: string) =>
  (left.before > 0 || left.after > 0 || (hunks.length > 0 && line.startsWith('\\'))) && !hunkHead.test(line)

function openHunk(draft: Draft, line: string): void {
  const [, before = '1', many = '1', after = '1', most = '1'] = hunkHead.exec(line) ?? []
  draft.before = Number(before)
  draft.after = Number(after)
  draft.left = { before: Number(many), after: Number(most) }
  draft.hunks.push([])
}

function takeLine(draft: Draft, line: string): void {
  const sign = line[0] === '+' || line[0] === '-' ? line[0] : ' '
  const isNote = line.startsWith('\\')
  const { left } = draft
  draft.hunks.at(-1)?.push({
    sign,
    text: isNote ? line : line.slice(1),
    before: isNote || sign === '+' ? null : draft.before++,
    after: isNote || sign === '-' ? null : draft.after++,
  })
  if (isNote) return
  if (sign !== '+') left.before -= 1
  if (sign !== '-') left.after -= 1
}

const headLine = /^(diff --git|Index:|---|\+\+\+|rename to|Moved to:|new file|deleted file) ?(.*)$/

function takeHead(drafts: Draft[], line: string, path: string): void {
  const [, word = '', rest = ''] = headLine.exec(line) ?? []
  if (word === '') return
  const last = drafts.at(-1)
  const isNext = word === 'diff --git' || word === 'Index:' || (word === '---' && last?.hunks.length !== 0)
  const draft = last === undefined ? begin(drafts, path) : isNext ? begin(drafts, '') : last
  const isNowhere = rest.startsWith('/dev/null')
  if (isNowhere) draft.kind = word === '---' ? 'add' : 'delete'
  else heads[word]?.(draft, rest)
}

/** Before and after a file's name git writes `a/` and `b/`, diff the time. */
const bareName = (rest: string) => rest.split('\t', 1)[0]?.replace(/^[ab]\//, '') ?? ''

function name(draft: Draft, rest: string): void {
  if (draft.path === '') draft.path = bareName(rest)
}

function move(draft: Draft, rest: string): void {
  draft.movedTo = rest
}

/** What each header line means. */
const heads: Readonly<Record<string, (draft: Draft, rest: string) => void>> = {
  'diff --git'(draft, rest) {
    draft.path = /^a\/(.*) b\//.exec(rest)?.[1] ?? draft.path
  },
  'Index:': name,
  '---': name,
  '+++': name,
  'rename to': move,
  'Moved to:': move,
  'new file'(draft) {
    draft.kind = 'add'
  },
  'deleted file'(draft) {
    draft.kind = 'delete'
  },
}

function finished({ path, movedTo, kind, hunks }: Draft): FileDiff {
  const filled: readonly Hunk[] = hunks.filter(hunk => hunk.length > 0)
  return { path, kind, ...(movedTo !== undefined && { movedTo }), hunks: filled }
}
