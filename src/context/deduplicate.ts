import { linesOfPlace, type ContextState, type Place } from './context-state.ts'
import { lengthOfLines, type Lines } from './lines.ts'
import type { Span } from './manifest.ts'
import { leastLines } from './visible-lines.ts'

/** How many characters a reference must save at least. */
const leastSaved = 160

/** How many lines next to new ones stay. */
const margin = 2

/** The runs of lines of a part that are visible already elsewhere. */
export function visibleSpans(state: ContextState, place: Place): readonly Span[] {
  const lines = linesOfPlace(place)
  const spans: Span[] = []
  let from = 0
  while (from < lines.count) {
    const match = state.visible.find(lines, from)
    if (match === null) {
      from += 1
      continue
    }
    const span = trimmed(lines, { from, ...match })
    if (isWorth(lines, span)) spans.push(span)
    from += match.lines
  }
  return spans
}

/** Keeps the lines next to new ones as context. */
function trimmed(lines: Lines, { from, lines: count, source, sourceFrom }: Span): Span {
  const last = from + count - 1
  const before = from === 0 || lines.text[from - 1] !== lines.text[from] ? 0 : margin
  const after = last === lines.count - 1 || lines.text[last + 1] !== lines.text[last] ? 0 : margin
  return { from: from + before, lines: count - before - after, source, sourceFrom: sourceFrom + before }
}

const isWorth = (lines: Lines, { from, lines: count }: Span) =>
  count >= leastLines && lengthOfLines(lines, from, count) >= leastSaved
