/** The key press, and the state of the field. */
export interface FieldPress {
  readonly key: string
  readonly shift: boolean
  /** A modifier such as Ctrl or Alt is pressed. */
  readonly held: boolean
  /** An input method is composing a character. */
  readonly composing: boolean
  readonly text: string
  readonly start: number
  readonly end: number
  /** About how many characters fit in one line of the field. */
  readonly columns: number
  /** Whether it is a phone, where only Enter can start a new line. */
  readonly phone: boolean
}

/** The action of a key in the field; null leaves it to the browser. */
export function fieldKey(press: FieldPress): 'send' | 'older' | 'newer' | null {
  const { key, shift, held, composing, phone } = press
  if (composing || shift) return null
  if (key === 'Enter') return phone && !held ? null : 'send'
  if (held || press.start !== press.end) return null
  if (key === 'ArrowUp' && isFirstLine(press)) return 'older'
  if (key === 'ArrowDown' && isLastLine(press)) return 'newer'
  return null
}

/** The field wraps a long line, and the arrow keys move through its visual lines first. */
const isFirstLine = ({ text, start, columns }: FieldPress) =>
  start === 0 || (!text.slice(0, start).includes('\n') && start <= columns)

function isLastLine({ text, start, columns }: FieldPress): boolean {
  if (start === text.length) return true
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1)
  return !line.includes('\n') && line.length <= columns
}
