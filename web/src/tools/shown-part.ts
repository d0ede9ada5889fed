/** How much of a text is shown at once. */
export interface Room {
  readonly lines: number
  readonly characters: number
}

/** A part of a text, and how many lines and characters are not shown. */
export interface ShownPart {
  readonly text: string
  readonly left: Room
}

/** The start of a text, as much as fits; whole lines where possible. */
export function headOf(text: string, room: Room): ShownPart {
  const end = Math.min(placeOfLine(text, room.lines), room.characters)
  if (end >= text.length) return { text, left: { lines: 0, characters: 0 } }
  const whole = text.lastIndexOf('\n', end - 1) + 1
  const cut = whole > end / 2 ? whole : end - (isHalf(text, end) ? 1 : 0)
  return { text: text.slice(0, cut), left: leftOf(text, cut, text.length) }
}

/** The end of a text, as much as there is room for. */
export function tailOf(text: string, room: Room): ShownPart {
  let start = text.length
  for (let count = 0; count <= room.lines && start > 0; count += 1)
    start = text.lastIndexOf('\n', start - 2) + 1
  const from = Math.max(start, text.length - room.characters)
  const cut = from + (isHalf(text, from) ? 1 : 0)
  return { text: text.slice(cut), left: leftOf(text, 0, cut) }
}

function placeOfLine(text: string, count: number): number {
  let place = 0
  for (let line = 0; line < count; line += 1) {
    const end = text.indexOf('\n', place)
    if (end === -1) return text.length
    place = end + 1
  }
  return place
}

const isHalf = (text: string, at: number) => /[\uDC00-\uDFFF]/.test(text.charAt(at))

/** The text between two positions. */
function leftOf(text: string, from: number, to: number): Room {
  let lines = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) lines += 1
  const endsOpen = to > from && text[to - 1] !== '\n'
  return { lines: lines + (endsOpen ? 1 : 0), characters: to - from }
}

/** What is not shown: lines, or characters if it is only one line. */
export function leftWords({ lines, characters }: Room): string {
  const count = lines > 1 ? lines : characters
  return `${count.toLocaleString('en')} more ${lines > 1 ? 'lines' : count === 1 ? 'character' : 'characters'}`
}
