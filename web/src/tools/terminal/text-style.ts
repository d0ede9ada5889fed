import { readable, toHex } from './colours.ts'

/** How a piece of terminal text looks. */
export interface TextStyle {
  readonly colour?: string
  readonly background?: string
  readonly bold?: true
  readonly italic?: true
  readonly underline?: true
  readonly struck?: true
}

/** What the codes of a terminal have set so far. Colours are palette numbers or `#rrggbb`. */
export interface Pen {
  readonly ink?: number | string
  readonly paper?: number | string
  readonly bold?: true
  readonly dim?: true
  readonly italic?: true
  readonly underline?: true
  readonly inverse?: true
  readonly struck?: true
}

/** A pen that sets nothing. */
export const plain: Pen = {}

/** The style of a pen; null for plain text. Text stays readable with any colors. */
export function styleOf(pen: Pen): TextStyle | null {
  if (Object.keys(pen).length === 0) return null
  const { bold, italic, underline, struck } = pen
  const words = {
    ...(bold && { bold }),
    ...(italic && { italic }),
    ...(underline && { underline }),
    ...(struck && { struck }),
  }
  return { ...words, ...coloursOf(pen) }
}

function coloursOf({ ink, paper, inverse, dim }: Pen): Pick<TextStyle, 'colour' | 'background'> {
  const [front, back] = [ink === undefined ? null : toHex(ink), paper === undefined ? null : toHex(paper)]
  if (!inverse && front === null && back === null && !dim) return {}
  const [text, ground] = inverse ? [back ?? 'paper', front ?? 'ink'] : [front ?? 'ink', back ?? 'paper']
  const colour = readable(text, ground, dim === true)
  return {
    colour,
    ...(ground !== 'paper' && { background: ground === 'ink' ? readable('ink', 'paper', false) : ground }),
  }
}

/** The pen after the codes of an SGR sequence, such as `1;38;5;208`. */
export function penAfter(before: Pen, codes: string): Pen {
  const numbers = codes.split(';').flatMap(numbersOf)
  let pen = before
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0
    if (code === 38 || code === 48) {
      const [colour, used] = colourAfter(numbers.slice(at + 1))
      if (colour !== null) pen = { ...pen, [code === 38 ? 'ink' : 'paper']: colour }
      at += used
    } else pen = withCode(pen, code)
  }
  return pen
}

/** `38:2::1:2:3` equals `38;2;1;2;3`; otherwise a colon only adds a variant, such as a wavy underline. */
function numbersOf(code: string): readonly number[] {
  const numbers = code.split(':').filter(Boolean).map(Number)
  return numbers[0] === 38 || numbers[0] === 48 ? numbers : [numbers[0] ?? 0]
}

/** `5;n` is a palette number, `2;r;g;b` a colour. */
function colourAfter([kind, ...rest]: readonly number[]): readonly [
  colour: number | string | null,
  used: number,
] {
  if (kind === 5) return [isByte(rest[0]) ? (rest[0] ?? null) : null, 2]
  if (kind !== 2) return [null, 1]
  const [red, green, blue] = rest
  const isColour = [red, green, blue].every(isByte)
  const hex = [red, green, blue].map(part => (part ?? 0).toString(16).padStart(2, '0')).join('')
  return [isColour ? `#${hex}` : null, 4]
}

const isByte = (value: number | undefined) =>
  Number.isInteger(value) && (value ?? -1) >= 0 && (value ?? 256) < 256

const sets: Readonly<Record<number, Pen>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { struck: true },
}
const ends: Readonly<Record<number, readonly (keyof Pen)[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  29: ['struck'],
  39: ['ink'],
  49: ['paper'],
}

function withCode(pen: Pen, code: number): Pen {
  if (code === 0) return plain
  if (sets[code] !== undefined) return { ...pen, ...sets[code] }
  const ended = ends[code]
  if (ended !== undefined)
    return Object.fromEntries(Object.entries(pen).filter(([name]) => !ended.includes(name as keyof Pen)))
  if (code >= 30 && code <= 37) return { ...pen, ink: code - 30 }
  if (code >= 40 && code <= 47) return { ...pen, paper: code - 40 }
  if (code >= 90 && code <= 97) return { ...pen, ink: code - 82 }
  if (code >= 100 && code <= 107) return { ...pen, paper: code - 92 }
  return pen
}
