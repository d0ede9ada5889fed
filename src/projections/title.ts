import type { PromptPart } from '../protocol/message.ts'

const longest = 80

/** A title from the first line of a prompt; null when there are no words in it. */
export function titleOf(parts: readonly PromptPart[]): string | null {
  const lines = parts.flatMap(part => (part.type === 'text' ? part.text.split('\n') : []))
  const line = lines.map(each => each.trim()).find(each => each !== '')
  if (line === undefined) return null
  if (line.length <= longest) return line
  // A character of two halves is not cut in the middle.
  const cut = line.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/u, '')
  return `${cut.trimEnd()}…`
}
