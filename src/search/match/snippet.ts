import type { Range } from './range.ts'

/** A piece of a text, and the places in it that were found. */
export interface Snippet {
  readonly snippet: string
  readonly ranges: readonly Range[]
}

const before = 60
const longest = 240

/** Cuts a piece of a text around a place, in one line. */
export function cutSnippet(
  text: string,
  [start]: Range,
  rangesIn: (from: number, to: number) => readonly Range[],
): Snippet {
  const from = start <= before ? 0 : atSign(text, atSpace(text, start - before, start))
  const to = text.length - from <= longest ? text.length : atSign(text, from + longest)
  const opening = from > 0 ? '…' : ''
  const line = text.slice(from, to).replaceAll(/[\r\n\t\v\f\u2028\u2029]/g, ' ')
  const ranges = rangesIn(from, to).map(
    ([first, last]) => [first - from + opening.length, Math.min(last, to) - from + opening.length] as const,
  )
  return { snippet: `${opening}${line}${to < text.length ? '…' : ''}`, ranges }
}

/** The beginning of the next word, if there is one before the end. */
function atSpace(text: string, from: number, end: number): number {
  for (let at = from; at < end; at += 1) if (/\s/.test(text[at] ?? '')) return at + 1
  return from
}

/** A sign of two halves is not cut in the middle. */
const atSign = (text: string, at: number) => (/[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at + 1 : at)
