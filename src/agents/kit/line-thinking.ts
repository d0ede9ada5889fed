import { createHash } from 'node:crypto'
import type { Json } from '../../protocol/json.ts'
import type { Fields } from './fields.ts'
import type { Originals } from './originals.ts'

/** Where thinking stands in the lines of a file. */
export interface ThinkingFormat {
  /** What a line adds to what the model is sent; null for nothing. */
  contentOf(line: Fields): Json | null
  /** A name for a line that may hold thinking, the same in copies of the file; null for all others. */
  nameOf(line: Fields): string | null
  /** The content without thinking; the content itself where it has none. */
  without(content: Json): Json
  withContent(line: Fields, content: Json): Fields
}

/** One line of the file. */
export interface Line {
  readonly text: string
  /** Null where there is nothing to be changed. */
  readonly fields: Fields | null
}

/** The names under which thinking of these lines may have been kept. */
export function thinkingNames(format: ThinkingFormat, lines: readonly Line[]): readonly string[] {
  const nameLine = createNames(format)
  return lines.flatMap(({ fields }) => (fields && nameLine(fields)) ?? [])
}

/** A message of the model may be several lines, so the place in it counts. */
function createNames(format: ThinkingFormat): (line: Fields) => string | null {
  const counts = new Map<string, number>()
  return line => {
    const name = format.nameOf(line)
    if (name === null) return null
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return `thinking ${name} ${count}`
  }
}

/**
 * Goes through the lines in order, each as it is in the file and as it is to be. Thinking that stands in the file follows the
 * words in the file; it is kept with a hash of them, and is written wherever the words before it are these again.
 */
export function createThinking(
  format: ThinkingFormat,
  originals: Originals,
): (now: Fields, next: Fields) => Fields {
  const nameLine = createNames(format)
  let before = { now: '', next: '' }
  return (now, next) => {
    const name = nameLine(now)
    const content = format.contentOf(now)
    const made = name === null || content === null ? next : withThinking(name, content)
    const read = (line: Fields) => format.contentOf(line)
    before = { now: withWords(before.now, read(now)), next: withWords(before.next, read(made)) }
    return made

    function withThinking(known: string, current: Json): Fields {
      const without = format.without(current)
      const hasThinking = without !== current
      const kept = hasThinking ? { content: current, after: before.now } : originals.thinking(known)
      if (kept === null) return next
      const fits = kept.after === before.next
      if (hasThinking && !fits) originals.keepThinking(known, kept)
      return format.withContent(next, fits ? kept.content : without)
    }
  }
}

function withWords(before: string, content: Json | null): string {
  if (content === null) return before
  return createHash('sha256').update(before).update(JSON.stringify(content)).digest('hex')
}
