import { cutKey, cutMark } from '../../protocol/cut-text.ts'
import { createByteOutput, type ByteOutput } from './byte-output.ts'
import { createStringCopier } from './long-string.ts'
import { parseJson } from './parse-json.ts'

/** Shortens a JSON text that arrives in pieces: long strings and lists are cut and marked, the rest stays. */
export interface JsonShortener {
  write(bytes: Uint8Array): void
  /** The shortened text; null when the bytes were not JSON or could not be shortened enough. */
  end(): string | null
}

interface Container {
  readonly isArray: boolean
  entries: number
}

/** Above this size, long and deep lists and objects are cut, and strings keep only their beginning. */
const budget = 1024 * 1024
/** Above this size, the text is given up. */
const most = 2 * budget
/** A list, an object or an entry takes longer to parse than its size suggests, so it counts as more bytes. */
const sizeOfThing = 16
const mostEntries = 1_000
const deepest = 1_000
/** Kinds, ids and ends are near the top level, so room is left for them after everything deeper was cut. */
const topDepth = 4
const roomOfLevel = 192 * 1024
const longest = { head: 48 * 1024, tail: 16 * 1024 }
const short = { head: 256, tail: 0 }

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const blanks: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'))

/** Needs memory for the shortened text only, and takes time in proportion to the bytes. */
export function createJsonShortener(): JsonShortener {
  const output = createByteOutput()
  const document = createDocument(output)
  const string = createStringCopier(output)
  const structure = (byte: number) => {
    if (byte === quote) string.begin(document.limits())
    else if (byte === openBrace || byte === openBracket) document.open(byte)
    else if (byte === closeBrace || byte === closeBracket) document.close(byte)
    else if (byte === comma) document.next()
    else if (!blanks.has(byte)) document.keep(byte)
  }
  return {
    write(bytes) {
      for (let at = 0; at < bytes.length && !document.hasFailed();) {
        const from = at
        if (string.isOpen()) at = string.take(bytes, at)
        else structure(bytes[at++] ?? 0)
        document.drop(at - from)
      }
    },
    end() {
      if (string.isOpen() || document.hasFailed()) return null
      const text = output.from(0).toString()
      return parseJson(text) === undefined ? null : text
    },
  }
}

/** The structure of the shortened text: its open containers, and which of their entries are dropped. */
function createDocument(output: ByteOutput) {
  const within: Container[] = []
  /** The depth of the container whose remaining entries are dropped. */
  let dropping: number | null = null
  let dropped = 0
  let tooDeep = false
  let things = 0
  const size = () => output.size() + things * sizeOfThing
  const keep = (byte: number) => {
    if (dropping === null) output.add(byte)
  }
  return {
    keep,
    hasFailed: () => tooDeep || size() > most,
    limits: () => (dropping !== null ? null : size() > budget ? short : longest),
    drop: (bytes: number) => (dropped += dropping === null ? 0 : bytes),
    open(byte: number) {
      keep(byte)
      if (dropping === null) things += 1
      within.push({ isArray: byte === openBracket, entries: 1 })
      tooDeep ||= within.length > deepest
    },
    close(byte: number) {
      const isCut = dropping === within.length
      const container = within.pop()
      if (isCut) dropping = null
      if (isCut && container !== undefined) mark(output, container, dropped)
      keep(byte)
    },
    next() {
      const container = within.at(-1)
      if (dropping !== null || container === undefined) return
      container.entries += 1
      things += 1
      const isFull = container.entries > mostEntries || size() > budgetAt(within.length)
      if (size() <= budget || !isFull) return keep(comma)
      dropping = within.length
      dropped = 0
    },
  }
}

/** The size above which a list or an object is cut, by its depth. */
const budgetAt = (depth: number) => budget + Math.max(0, topDepth + 1 - depth) * roomOfLevel

/** Adds how much was left out at the end of a container, without changing the type of its entries. */
function mark(output: ByteOutput, { isArray }: Container, bytes: number): void {
  const add = (text: string) => output.copy(Buffer.from(text))
  const text = JSON.stringify(cutMark(bytes))
  if (!isArray) return add(`,"${cutKey}":${text}`)
  if (output.last() !== closeBrace) return add(`,${text}`)
  output.cut(output.size() - 1)
  add(`${output.last() === openBrace ? '' : ','}"${cutKey}":${text}}`)
}
