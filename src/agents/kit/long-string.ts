import { cutMark } from '../../protocol/cut-text.ts'
import type { ByteOutput } from './byte-output.ts'

/** Copies JSON strings that arrive in pieces; of a long one, only the beginning and the end are kept. */
export interface StringCopier {
  /** Begins a string, after its opening quote. Without limits, the string is skipped. */
  begin(limits: StringLimits | null): void
  /** Reads bytes from a position on, and returns the position after the last one of the string. */
  take(bytes: Uint8Array, from: number): number
  /** Whether a string has begun and its closing quote was not read yet. */
  readonly isOpen: () => boolean
}

/** How many bytes of a string are kept at its beginning and at its end. */
export interface StringLimits {
  readonly head: number
  readonly tail: number
}

const quote = 0x22
const backslash = 0x5c

/** The last bytes of some pieces. */
function lastOf(pieces: readonly Uint8Array[], most: number): Buffer {
  const bytes = Buffer.concat(pieces)
  return bytes.subarray(Math.max(0, bytes.length - most))
}

/** Writes the strings to an output, with a mark where something was cut. */
export function createStringCopier(output: ByteOutput): StringCopier {
  let limits: StringLimits | null = null
  let isOpen = false
  let isEscaped = false
  let start = 0
  /** How many bytes came after the head, and the last of them. */
  let rest = 0
  let tail: Uint8Array[] = []
  let tailLength = 0

  const copy = ({ head, tail: most }: StringLimits, bytes: Uint8Array, from: number, to: number) => {
    const room = Math.min(to - from, Math.max(0, start + head - output.size()))
    output.copy(bytes, from, from + room)
    if (room === to - from) return
    rest += to - from - room
    tail.push(bytes.subarray(Math.max(from + room, to - most), to))
    tailLength += Math.min(to - from - room, most)
    // Rarely, so that many small pieces cost no more than a few large ones.
    if (tailLength <= 4 * most) return
    tail = [lastOf(tail, most)]
    tailLength = most
  }
  const end = () => {
    const last = lastOf(tail, limits?.tail ?? 0)
    if (rest > last.length) cutMiddle(output, start, last, rest)
    else output.copy(last)
    output.add(quote)
    tail = []
    tailLength = 0
  }
  return {
    isOpen: () => isOpen,
    begin(given) {
      limits = given
      isOpen = true
      rest = 0
      if (limits !== null) output.add(quote)
      start = output.size()
    },
    take(bytes, from) {
      let at = from
      for (; at < bytes.length && isOpen; at += 1) {
        const byte = bytes[at]
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else isOpen = byte !== quote
      }
      if (limits === null) return at
      copy(limits, bytes, from, isOpen ? at : at - 1)
      if (!isOpen) end()
      return at
    },
  }
}

/** Puts a mark between the beginning of a string, which is in the output, and its end. */
function cutMiddle(output: ByteOutput, start: number, tail: Buffer, rest: number): void {
  const head = output.from(start)
  const whole = wholeCharacters(head)
  const last = safeStart(tail)
  const mark = JSON.stringify(cutMark(head.length + rest - whole - (tail.length - last)))
  output.cut(start + whole)
  output.copy(Buffer.from(mark.slice(1, -1)))
  output.copy(tail, last)
}

/** How many of the first bytes of a JSON string are complete characters, with escapes and surrogate pairs intact. */
function wholeCharacters(bytes: Buffer): number {
  let whole = 0
  for (let at = 0; at < bytes.length;) {
    const isEscape = bytes[at] === backslash
    const end = at + (isEscape ? escapeLength(bytes, at) : characterLength(bytes[at] ?? 0))
    const isHalf = isEscape && /^\\u[dD][89abAB]/.test(bytes.toString('latin1', at, end))
    if (end <= bytes.length && !isHalf) whole = end
    at = end
  }
  return whole
}

const escapeLength = (bytes: Buffer, at: number) => (bytes[at + 1] === 0x75 ? 6 : 2)

function characterLength(first: number): number {
  if (first >= 0xf0) return 4
  if (first >= 0xe0) return 3
  return first >= 0xc0 ? 2 : 1
}

/** A position where a character certainly begins: no escape is longer than six bytes, and each begins with a backslash. */
function safeStart(bytes: Buffer): number {
  for (let at = 0, since = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (since >= 6 && (byte & 0xc0) !== 0x80) return at
    since = byte === backslash ? 0 : since + 1
  }
  return bytes.length
}
