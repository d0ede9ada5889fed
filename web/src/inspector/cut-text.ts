/** How many characters of a text are shown at once: as many as any browser lays out without a pause. */
export const sliceLength = 20_000

/** A long text in slices. */
export interface Slice {
  readonly text: string
  readonly number: number
  readonly count: number
}

/** One slice of a text; a character of two halves is not cut. */
export function sliceOf(text: string, number: number, length: number = sliceLength): Slice {
  const count = Math.max(1, Math.ceil(text.length / length))
  const here = Math.min(Math.max(0, number), count - 1)
  const from = placeOf(text, here * length)
  return { text: text.slice(from, placeOf(text, (here + 1) * length)), number: here, count }
}

const placeOf = (text: string, place: number) => {
  const code = text.charCodeAt(place)
  return code >= 0xdc00 && code <= 0xdfff ? place + 1 : place
}

/** Longer lines are not formatted as JSON. */
const mostPretty = 1 << 20

/** The JSON of a line; undefined when it is not JSON, or too long to format. */
export function jsonIn(raw: string): unknown {
  if (raw.length > mostPretty) return undefined
  try {
    return JSON.parse(raw) as unknown
  } catch {
    // Agents also write lines that are not JSON; they are shown unchanged.
    return undefined
  }
}
