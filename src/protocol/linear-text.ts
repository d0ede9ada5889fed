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
