import { penAfter, plain, styleOf, type Pen, type TextStyle } from './text-style.ts'

/** Terminal text in one style; it may span lines. */
export interface Span {
  readonly text: string
  readonly style: TextStyle | null
}

/** Text with more escapes than this is shown without colors. */
const mostSpans = 5000

interface Screen {
  readonly spans: Span[]
  /** The line being written: its characters and the pen of each. */
  letters: string[]
  pens: Pen[]
  at: number
  /** Up to here the line is blank already. */
  blank: number
  pen: Pen
}

// oxlint-disable-next-line no-control-regex -- control characters are what is read here
const special = /[\u0007\b\r\n\u001B\u0090\u0098\u009B\u009D-\u009F]/

/**
 * What a terminal would show: colors and emphasis as styles, progress bars in their final state. Titles, links,
 * cursor movements and all other escapes are dropped; the text inside them stays.
 */
export function parseAnsi(text: string): readonly Span[] {
  if (!special.test(text)) return text === '' ? [] : [{ text, style: null }]
  const screen: Screen = { spans: [], letters: [], pens: [], at: 0, blank: 0, pen: plain }
  let at = 0
  while (at < text.length) at = step(screen, text, at)
  endLine(screen, '')
  return screen.spans
}

/** Consumes one token and returns where the next one starts. */
function step(screen: Screen, text: string, at: number): number {
  const sign = text[at] ?? ''
  if (!special.test(sign)) return write(screen, text, at)
  if (sign === '\n') endLine(screen, '\n')
  else if (sign === '\r') screen.at = 0
  else if (sign === '\b') screen.at = Math.max(0, screen.at - 1)
  else if (sign !== '\u0007') return escape(screen, text, at)
  return at + 1
}

function write(screen: Screen, text: string, at: number): number {
  const letter = String.fromCodePoint(text.codePointAt(at) ?? 0xff_fd)
  screen.letters[screen.at] = letter
  screen.pens[screen.at] = screen.pen
  screen.blank = Math.min(screen.blank, screen.at)
  screen.at += 1
  return at + letter.length
}

function endLine(screen: Screen, end: string): void {
  const { letters, pens } = screen
  for (let at = 0; at < letters.length; at += 1) add(screen, letters[at] ?? ' ', pens[at] ?? plain)
  if (end !== '') add(screen, end, screen.pen)
  screen.letters = []
  screen.pens = []
  screen.at = 0
  screen.blank = 0
}

const looks = new WeakMap<Pen, { readonly style: TextStyle | null; readonly key: string }>()

function lookOf(pen: Pen) {
  const known = looks.get(pen)
  if (known !== undefined) return known
  const style = styleOf(pen)
  const look = { style, key: JSON.stringify(style) }
  looks.set(pen, look)
  return look
}

function add({ spans }: Screen, text: string, pen: Pen): void {
  const last = spans.at(-1)
  const look = lookOf(pen)
  const isSame = last !== undefined && (last.style === look.style || JSON.stringify(last.style) === look.key)
  // Line ends have no style, and a text with too many styles gets no more.
  if (last !== undefined && (isSame || text === '\n' || spans.length >= mostSpans))
    spans[spans.length - 1] = { text: last.text + text, style: last.style }
  else spans.push({ text, style: spans.length + 1 >= mostSpans ? null : look.style })
}

// oxlint-disable-next-line no-control-regex -- control characters are what is read here
const control = /(?:\u001B\[|\u009B)([0-?]*)[ -/]*([@-~])/y
// Strings of a limited length: an unterminated one must not swallow the rest.
const enclosed =
  // oxlint-disable-next-line no-control-regex -- control characters are what is read here
  /(?:\u001B[\]PX^_]|[\u0090\u0098\u009D-\u009F])[^\u0007\u001B\u009C]{0,4096}(?:\u0007|\u001B\\|\u009C)/y
// oxlint-disable-next-line no-control-regex -- control characters are what is read here
const short = /\u001B[ -/]*[0-Z\\^-~]/y

function escape(screen: Screen, text: string, at: number): number {
  const found = matchAt(control, text, at)
  if (found !== null) {
    const [, codes = '', kind] = found
    if (kind === 'm' && /^[\d;:]*$/.test(codes)) screen.pen = penAfter(screen.pen, codes)
    if (kind === 'K') erase(screen, codes)
    return at + found[0].length
  }
  const other = matchAt(enclosed, text, at) ?? matchAt(short, text, at)
  return at + (other?.[0].length ?? 1)
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Erases to the end of the line, from its start, or all of it. */
function erase(screen: Screen, codes: string): void {
  if (codes === '' || codes === '0') screen.letters.length = Math.min(screen.letters.length, screen.at)
  if (codes === '2') screen.letters = []
  if (codes === '2') screen.blank = screen.at
  if (codes !== '1') return
  // Blank text stays: a line may be erased again after each letter.
  screen.letters.fill(' ', screen.blank, screen.at)
  screen.blank = Math.max(screen.blank, screen.at)
}
