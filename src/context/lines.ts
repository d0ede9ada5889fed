/** The lines of some texts, ready to be compared: one after the other, counted from 0. */
export interface Lines {
  readonly texts: readonly string[]
  readonly count: number
  /** For each line: which text it is of, where it begins there, where its words begin after a number, where it ends. */
  readonly text: readonly number[]
  readonly start: readonly number[]
  readonly begin: readonly number[]
  readonly end: readonly number[]
  readonly hash: readonly number[]
  /** The number before a line, as file readers show it; -1 without. */
  readonly number: readonly number[]
}

/** Plain arrays: most texts are short, and for those typed ones cost more to make than to fill. */
interface Draft {
  readonly text: number[]
  readonly start: number[]
  readonly begin: number[]
  readonly end: number[]
  readonly hash: number[]
  readonly number: number[]
}

/** Splits texts into lines. A number before a line (`  12→`, `12<tab>`) is separated from it. */
export function linesOf(texts: readonly string[]): Lines {
  const draft: Draft = { text: [], start: [], begin: [], end: [], hash: [], number: [] }
  for (const [index, text] of texts.entries()) cut(draft, index, text)
  return { texts, count: draft.text.length, ...draft }
}

/** Whether a text has at least the given number of lines. */
export function hasLines(text: string, least: number): boolean {
  let at = -1
  for (let line = 1; line < least; line += 1) {
    at = text.indexOf('\n', at + 1)
    if (at === -1) return false
  }
  return true
}

function cut(draft: Draft, index: number, text: string): void {
  let start = 0
  while (start <= text.length) {
    const next = text.indexOf('\n', start)
    const end = next === -1 ? text.length : next
    draft.text.push(index)
    draft.start.push(start)
    draft.end.push(end)
    readLine(draft, text, start, end)
    start = end + 1
  }
}

const space = 32
const zero = 48
const nine = 57
const tab = 9
const arrow = 0x2192

function readLine(draft: Draft, text: string, start: number, end: number): void {
  let at = start
  while (at < end && text.charCodeAt(at) === space) at += 1
  let number = 0
  const digits = at
  while (at < end && at - digits < 9) {
    const code = text.charCodeAt(at)
    if (code < zero || code > nine) break
    number = number * 10 + code - zero
    at += 1
  }
  const mark = at < end ? text.charCodeAt(at) : 0
  const isNumbered = at > digits && (mark === arrow || mark === tab)
  const begin = isNumbered ? at + 1 : start
  draft.number.push(isNumbered ? number : -1)
  draft.begin.push(begin)
  draft.hash.push(hashOf(text, begin, end))
}

function hashOf(text: string, begin: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = begin; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

/** Whether a line directly follows the one before it: in the same text, with the next number or without numbers. */
export function isNextLine(lines: Lines, line: number): boolean {
  if (lines.text[line] !== lines.text[line - 1]) return false
  const before = lines.number[line - 1] ?? -1
  const number = lines.number[line] ?? -1
  return before === -1 ? number === -1 : number === before + 1
}

/** Whether two lines are equal, apart from their numbers. */
export function sameLine(a: Lines, lineOfA: number, b: Lines, lineOfB: number): boolean {
  if (a.hash[lineOfA] !== b.hash[lineOfB]) return false
  return wordsOf(a, lineOfA) === wordsOf(b, lineOfB)
}

const wordsOf = (lines: Lines, line: number): string =>
  (lines.texts[lines.text[line] ?? 0] ?? '').slice(lines.begin[line], lines.end[line])

/** How many characters some lines have, with their ends. */
export function lengthOfLines(lines: Lines, from: number, count: number): number {
  let length = 0
  for (let line = from; line < from + count; line += 1)
    length += (lines.end[line] ?? 0) - (lines.start[line] ?? 0) + 1
  return length
}
