/** What a JSON text may cost at most: how deep it is nested, and how many lists, objects and things in them it has. */
export interface JsonBounds {
  readonly depth: number
  readonly things: number
  /** How many keys one object may have: those of a crowded object cost the most. */
  readonly keys: number
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Which bound a JSON text goes beyond, if any. Looked at before it is parsed, because parsing it is what a deep or crowded
 * text is meant to make expensive.
 */
export function boundExceeded(bytes: Uint8Array, most: JsonBounds): keyof JsonBounds | null {
  /** The keys of each open object so far; of an open list, too few to count. */
  const open: number[] = []
  let things = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) at = endOfString(bytes, at + 1)
    else if (byte === closeList || byte === closeObject) open.pop()
    else if (byte === comma) {
      things += 1
      const keys = (open.pop() ?? 0) + 1
      if (keys > most.keys) return 'keys'
      open.push(keys)
    } else if (byte === openList || byte === openObject) {
      things += 1
      open.push(byte === openObject ? 1 : -Infinity)
      if (open.length > most.depth) return 'depth'
    }
    if (things > most.things) return 'things'
  }
  return null
}

function endOfString(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}
