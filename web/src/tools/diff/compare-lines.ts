import { changedLines } from './changed-lines.ts'
import { linesOf, type DiffLine, type Hunk } from './file-diff.ts'

/** How many unchanged lines are shown around changed ones. */
const around = 3

/** The result of a comparison, and whether the texts were too large: then all old lines come first, then all new ones. */
export interface Comparison {
  readonly hunks: readonly Hunk[]
  readonly tooLarge: boolean
}

/** Compares two texts. `first` is their line number in the file; null if unknown. */
export function compareLines(from: string, to: string, first: number | null = null): Comparison {
  const [before, after] = [linesOf(from), linesOf(to)]
  const changes = changesOf(before, after)
  const lines = numbered(changes ?? replaced(before, after), first)
  return { hunks: hunksOf(lines), tooLarge: changes === null }
}

type Signed = Pick<DiffLine, 'sign' | 'text'>

const signed =
  (sign: DiffLine['sign']) =>
  (text: string): Signed => ({ sign, text })

function changesOf(before: readonly string[], after: readonly string[]): readonly Signed[] | null {
  const changed = changedLines(before, after)
  if (changed === null) return null
  const lines: Signed[] = []
  let now = 0
  const add = () => {
    while (now < after.length && changed.added[now] === 1) lines.push({ sign: '+', text: after[now++] ?? '' })
  }
  for (const [at, text] of before.entries()) {
    const isRemoved = changed.removed[at] === 1
    if (!isRemoved) {
      add()
      now += 1
    }
    lines.push({ sign: isRemoved ? '-' : ' ', text })
  }
  add()
  return lines
}

/** All removed and all added lines, except those that are equal at both ends. */
function replaced(before: readonly string[], after: readonly string[]): readonly Signed[] {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start += 1
  let end = 0
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  return [
    ...before.slice(0, start).map(signed(' ')),
    ...before.slice(start, before.length - end).map(signed('-')),
    ...after.slice(start, after.length - end).map(signed('+')),
    ...before.slice(before.length - end).map(signed(' ')),
  ]
}

function numbered(lines: readonly Signed[], first: number | null): Hunk {
  let [before, after] = [first ?? 0, first ?? 0]
  return lines.map(({ sign, text }) => ({
    sign,
    text,
    before: first === null || sign === '+' ? null : before++,
    after: first === null || sign === '-' ? null : after++,
  }))
}

/** Leaves out lines far from every change. */
function hunksOf(lines: Hunk): readonly Hunk[] {
  const hunks: DiffLine[][] = []
  let last = -Infinity
  lines.forEach((line, at) => {
    const isNear = lines.slice(Math.max(0, at - around), at + around + 1).some(({ sign }) => sign !== ' ')
    if (!isNear) return
    if (at > last + 1) hunks.push([])
    hunks.at(-1)?.push(line)
    last = at
  })
  // Nothing changed: then it is all there is to show.
  return hunks.length === 0 && lines.length > 0 ? [lines] : hunks
}

/** Two texts to compare, and their line number in the file, if known. */
export interface Texts {
  readonly from: string
  readonly to: string
  readonly first: number | null
}

/** A request to the worker. */
export interface CompareRequest extends Texts {
  readonly id: number
}

/** The worker's response. */
export interface CompareReply {
  readonly id: number
  readonly comparison: Comparison
}
