import { createHash } from 'node:crypto'
import type { Json } from '../../protocol/json.ts'
import type { Fields } from './fields.ts'
import type { Originals } from './originals.ts'

/** How thinking is found in the lines of a file. */
export interface ThinkingFormat {
  /** What a line adds to the messages that the model gets; null for nothing. */
  contentOf(line: Fields): Json | null
  /** A name for a line that may contain thinking, the same in copies of the file; null for all other lines. */
  nameOf(line: Fields): string | null
  /** The content without thinking; the same content if it has none. */
  without(content: Json): Json
  withContent(line: Fields, content: Json): Fields
}

/** One line of the file. */
export interface Line {
  readonly text: string
  /** Null if nothing can be changed. */
  readonly fields: Fields | null
}

/** The names under which thinking of these lines may be saved. */
export function thinkingNames(format: ThinkingFormat, lines: readonly Line[]): readonly string[] {
  const nameLine = createNames(format)
  return lines.flatMap(({ fields }) => (fields && nameLine(fields)) ?? [])
}

/** A message of the model may span several lines, so the position in it is part of the name. */
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
 * Goes through the lines in order, each as it is in the file and as it will be. Thinking in the file is saved with a hash of
 * everything before it, and is written again wherever everything before it has that hash.
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
