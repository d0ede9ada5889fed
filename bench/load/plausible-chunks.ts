import type { ThreadChunk } from '../../src/protocol/chunk.ts'

const telling = new Set(['text', 'delta', 'thinking', 'content', 'output', 'partial_json', 'message'])

/** The chunk that a line of an agent without a translator might give: its first words, as a piece of text. */
export function plausibleChunks(line: string, place: number): readonly ThreadChunk[] {
  const words = firstWords(parse(line))
  if (words === undefined) return []
  return [{ thread: null, chunk: { type: 'text-delta', id: `text-${place >> 6}`, delta: words } }]
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // Some recordings have lines that are not JSON, on purpose.
    return null
  }
}

function firstWords(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && telling.has(key)) return inner
    const found = firstWords(inner)
    if (found !== undefined) return found
  }
  return undefined
}
