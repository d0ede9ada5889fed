/** What a JSON text may cost at most: how deep it is nested, and how many lists, objects and things in them it has. */
export interface JsonBounds {
  readonly depth: number
  readonly things: number
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Which bound a JSON text goes beyond, if any. Looked at before it is parsed, because parsing it is what a deep or crowded
 * text is meant to make expensive.
 */
export function boundExceeded(bytes: Uint8Array, most: JsonBounds): keyof JsonBounds | null {
  let [depth, things] = [0, 0]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) at = endOfString(bytes, at + 1)
    else if (byte === closeList || byte === closeObject) depth -= 1
    else if (byte === comma) things += 1
    else if (byte === openList || byte === openObject) {
      depth += 1
      things += 1
      if (depth > most.depth) return 'depth'
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
