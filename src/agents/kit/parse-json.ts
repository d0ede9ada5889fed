import type { Json } from '../../protocol/json.ts'

/** Values nested deeper than this are refused: writing them out again would overflow the stack. */
const nestingLimit = 1_000

/** Parses JSON that may be hostile; undefined if it is not JSON, or nested too deeply to be handled safely. */
export function parseJson(text: string): Json | undefined {
  if (isNestedTooDeep(text)) return undefined
  try {
    // Editors of Windows put a byte order mark before the first line.
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) as Json
  } catch {
    return undefined
  }
}

/** Whether a JSON text opens more brackets inside one another than is safe. */
export function isNestedTooDeep(text: string): boolean {
  // Each level takes two characters, so most lines need no look.
  if (text.length <= nestingLimit * 2) return false
  // Nor do those with few brackets, whether they stand in strings or not; to count them is quick.
  if (countOf(text, '{') + countOf(text, '[') <= nestingLimit) return false
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '"') at = endOfString(text, at)
    else if (char === '[' || char === '{') depth += 1
    else if (char === ']' || char === '}') depth -= 1
    if (depth > nestingLimit) return true
  }
  return false
}

/** How often a character comes in a text; no further than it matters. */
function countOf(text: string, char: string): number {
  let count = 0
  for (let at = text.indexOf(char); at !== -1 && count <= nestingLimit; at = text.indexOf(char, at + 1))
    count += 1
  return count
}

/** Where the string that begins at a quote ends; brackets inside strings do not count. */
function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1)
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at === -1 ? text.length : at
}

function isEscaped(text: string, quote: number): boolean {
  let slashes = 0
  while (text[quote - 1 - slashes] === '\\') slashes += 1
  return slashes % 2 === 1
}
