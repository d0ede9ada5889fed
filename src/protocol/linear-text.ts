/** The text without a character that it ends with, however often. (`/x+$/` takes the square of the text's length.) */
export function trimEndOf(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end -= 1
  return text.slice(0, end)
}

/** The text between the first opening mark and the first closing mark after it; undefined when there is none. */
export function between(text: string, open: string, close: string): string | undefined {
  const start = text.indexOf(open)
  const end = start === -1 ? -1 : text.indexOf(close, start + open.length)
  return end === -1 ? undefined : text.slice(start + open.length, end)
}

/** Parts up to this length are found as quickly by `includes`. */
const shortPart = 32

/** Whether a text holds a part. (`includes` can take the product of both lengths; this takes their sum.) */
export function holds(text: string, part: string): boolean {
  if (part.length <= shortPart) return text.includes(part)
  if (part.length > text.length) return false
  const borders = bordersOf(part)
  let same = 0
  for (let at = 0; at < text.length && same < part.length; at += 1) {
    const unit = text.charCodeAt(at)
    while (same > 0 && part.charCodeAt(same) !== unit) same = borders[same - 1] ?? 0
    if (part.charCodeAt(same) === unit) same += 1
  }
  return same === part.length
}

/** For each beginning of a text, how much of its end is its beginning again (Knuth, Morris and Pratt). */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length)
  let same = 0
  for (let at = 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    while (same > 0 && text.charCodeAt(same) !== unit) same = borders[same - 1] ?? 0
    if (text.charCodeAt(same) === unit) same += 1
    borders[at] = same
  }
  return borders
}
