import { isUtf8 } from 'node:buffer'
import { randomInt } from 'node:crypto'
import type { Raw } from '../../protocol/event.ts'
import { boundExceeded, type HashSeed } from '../../protocol/json-shape.ts'
import { openOverflow, type Overflow } from './overflow.ts'
import { createJsonShortener, type JsonShortener } from './shorten-json.ts'

/** How lines are read. */
export interface LineOptions {
  /** The folder for lines that are too long for memory. */
  readonly dataFolder: string
  /** The longest line that is held in memory, in bytes. */
  readonly limit?: number
  /** Called with a sentence about a line that could not be saved completely. */
  readonly report?: (trouble: string) => void
}

interface Line {
  /** Collects the bytes of the line; its size doubles when it is full. */
  gathered: Buffer
  length: number
  overflow: LongLine | null
}

/** A line that is too long for memory: all of it goes to a file, and a shortened version stays. */
interface LongLine {
  readonly file: Overflow
  readonly shortener: JsonShortener
}

const newline = 0x0a
const defaultLimit = 4 * 1024 * 1024
/** How much is shown of a line on disk that is not JSON. */
const shownBytes = 64 * 1024
const smallest = 1024
/** A line with more than this takes too long to parse at once. */
const most = { depth: Infinity, values: 50_000, keys: 10_000 }
/** A line of up to this size is quick to parse, whatever is in it. */
const neverCrowded = 256 * 1024
const seed: HashSeed = [randomInt(2 ** 32), randomInt(2 ** 32)]

/**
 * Reads lines, byte for byte, from pieces of any size: only `\n` ends a line, and bytes that are not valid UTF-8 are kept
 * beside the text. Blank lines are skipped. Takes time in proportion to the bytes, and memory in proportion to the limit.
 */
export async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
  { dataFolder, limit = defaultLimit, report = () => undefined }: LineOptions,
): AsyncGenerator<Raw> {
  const line: Line = { gathered: Buffer.alloc(0), length: 0, overflow: null }
  const gather = async (piece: Uint8Array) => {
    if (!line.overflow && line.length + piece.length <= limit) return keep(line, piece)
    line.overflow ??= await overflowing(line, dataFolder, report)
    keep(line, piece.subarray(0, Math.max(0, shownBytes - line.length)))
    line.overflow.shortener.write(piece)
    await line.overflow.file.write(piece)
  }
  const ended = async () => {
    if (!line.overflow && isCrowded(line)) line.overflow = await overflowing(line, dataFolder, report)
    return await taken(line)
  }
  try {
    for await (const piece of bytes) {
      let from = 0
      for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, from)) {
        const rest = piece.subarray(from, at)
        from = at + 1
        const whole = line.length === 0 && !line.overflow && rest.length <= Math.min(limit, neverCrowded)
        if (!whole) await gather(rest)
        const raw = whole ? rawOf(rest) : await ended()
        if (raw) yield raw
      }
      await gather(piece.subarray(from))
    }
    const last = await ended()
    if (last) yield last
  } finally {
    await line.overflow?.file.discard()
  }
}

async function overflowing(
  line: Line,
  dataFolder: string,
  report: (trouble: string) => void,
): Promise<LongLine> {
  const file = await openOverflow(dataFolder, report)
  const shortener = createJsonShortener()
  // In pieces, so that other work can run in between.
  for (let from = 0; from < line.length; from += shownBytes) {
    const piece = line.gathered.subarray(from, Math.min(from + shownBytes, line.length))
    shortener.write(piece)
    await file.write(piece)
  }
  return { file, shortener }
}

/** Whether a line has so many values that parsing it would block other work. Then it is shortened like a long line. */
function isCrowded({ gathered, length }: Line): boolean {
  if (length <= neverCrowded) return false
  return boundExceeded(gathered.subarray(0, length), most, seed) !== null
}

function keep(line: Line, piece: Uint8Array): void {
  const length = line.length + piece.length
  if (length > line.gathered.length) {
    const larger = Buffer.allocUnsafe(Math.max(length, line.gathered.length * 2, smallest))
    line.gathered.copy(larger, 0, 0, line.length)
    line.gathered = larger
  }
  line.gathered.set(piece, line.length)
  line.length = length
}

async function taken(line: Line): Promise<Raw | null> {
  const { gathered, length, overflow } = line
  line.length = 0
  line.overflow = null
  // One long line must not keep its memory forever.
  if (gathered.length > shownBytes) line.gathered = Buffer.alloc(0)
  if (!overflow) return rawOf(gathered.subarray(0, length))
  return {
    raw: overflow.shortener.end() ?? beginning(gathered.subarray(0, Math.min(length, shownBytes))),
    rawFile: await overflow.file.close(),
  }
}

function rawOf(bytes: Uint8Array): Raw | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const raw = buffer.toString()
  if (!/[^ \t\r\v\f]/.test(raw)) return null
  return isUtf8(buffer) ? { raw } : { raw, rawBytes: buffer.toString('base64') }
}

/** The text of bytes that may end in the middle of a character. */
function beginning(bytes: Buffer): string {
  let end = bytes.length
  while (end > 0 && end > bytes.length - 4 && isContinuation(bytes[end - 1])) end -= 1
  const whole = end > 0 && isUtf8(bytes.subarray(end - 1))
  return bytes.subarray(0, whole ? bytes.length : Math.max(0, end - 1)).toString()
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
