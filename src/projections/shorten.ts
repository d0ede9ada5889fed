/** The first characters of a text; one of two halves is not cut in the middle. */
export const firstOf = (text: string, length: number): string =>
  text.slice(0, isWithin(text, length) ? length - 1 : length)

/** The last characters of a text; one of two halves is not cut in the middle. */
export function lastOf(text: string, length: number): string {
  const start = text.length - length
  return text.slice(isWithin(text, start) ? start + 1 : Math.max(0, start))
}

const isWithin = (text: string, at: number) => {
  const [high, low] = [text.charCodeAt(at - 1), text.charCodeAt(at)]
  return high >= 0xd8_00 && high < 0xdc_00 && low >= 0xdc_00 && low < 0xe0_00
}

/** A text of bounded length: its beginning and its end, and between them how much was left out. */
export function shortenMiddle(text: string, longest: number): string {
  if (text.length <= longest) return text
  const noteOf = (left: number) => ` … (${left} characters left out) … `
  const room = longest - noteOf(text.length).length
  if (room < 2) return firstOf(text, longest)
  const head = firstOf(text, Math.ceil(room * 0.7))
  const tail = lastOf(text, room - Math.ceil(room * 0.7))
  return head + noteOf(text.length - head.length - tail.length) + tail
}
