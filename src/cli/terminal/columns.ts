/** How many terminal columns a text takes. East Asian characters and emoji are wide. */
export function columnsOf(text: string): number {
  if (narrow.test(text)) return text.length
  let columns = 0
  for (const { segment } of segmentsOf(text)) columns += wide.test(segment) ? 2 : 1
  return columns
}

/** The text cut to a number of columns, with an ellipsis where something is missing. */
export function shorten(text: string, columns: number): string {
  // No character is narrower than its code units, so a short text always fits.
  if (text.length * 2 <= columns || columnsOf(text) <= columns) return text
  let kept = ''
  let used = 1
  for (const { segment } of segmentsOf(text)) {
    used += wide.test(segment) ? 2 : 1
    if (used > columns) break
    kept += segment
  }
  return `${kept}…`
}

/** The text padded with blanks to a number of columns. */
export const padTo = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - columnsOf(text)))

/** Most texts match this and need no segmenter, which is slow to create. */
const narrow = /^[\x20-\x7e]*$/
let segmenter: Intl.Segmenter | undefined
function segmentsOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\ufe0f/u
