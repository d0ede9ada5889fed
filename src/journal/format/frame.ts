import { crc32 } from 'node:zlib'
import { eventVersion } from '../../protocol/upcast.ts'
import { createByteReader, createByteWriter, type ByteReader, type ByteWriter } from './bytes.ts'
import { columns, countOf, type Run } from './run.ts'

/**
 * The entries of one group commit on their way to the writer: all texts in one string, because that is the
 * cheapest thing to hand to another thread, and the numbers that cut it up again.
 */
export interface Batch {
  readonly text: string
  /** For each run: session, first seq, count; then for each entry the numbers of a run, in characters. */
  readonly numbers: Float64Array<ArrayBuffer>
  readonly ids: readonly string[]
}

/** The runs of a group commit over the buffer that holds their bytes, one behind the other. */
export interface Cut {
  readonly runs: readonly Run[]
  readonly buffer: Buffer
}

const format = 1
const runColumns = 3

/** Cuts a batch into runs. */
export function cutBatch({ text, numbers, ids }: Batch): Cut {
  const buffer = Buffer.from(text, 'utf8')
  if (buffer.length !== text.length) countBytes(text, numbers)
  const runs: Run[] = []
  let offset = 0
  let given = 0
  for (let i = 0; i < numbers.length;) {
    const [session = 0, first = 0, count = 0] = numbers.subarray(i, i + runColumns)
    const own = numbers.subarray(i + runColumns, i + runColumns + count * columns)
    const { length, givenIds } = measure(own)
    runs.push({
      session,
      first,
      version: eventVersion,
      numbers: own,
      ids: ids.slice(given, given + givenIds),
      bytes: buffer.subarray(offset, offset + length),
    })
    offset += length
    given += givenIds
    i += runColumns + count * columns
  }
  return { runs, buffer }
}

/** Turns lengths in characters into lengths in bytes. */
function countBytes(text: string, numbers: Float64Array) {
  let position = 0
  const bytes = (length: number) => Buffer.byteLength(text.slice(position, (position += length)))
  for (let i = 0; i < numbers.length;) {
    const end = i + runColumns + (numbers[i + 2] ?? 0) * columns
    for (i += runColumns; i < end; i += columns) {
      numbers[i + 1] = bytes(numbers[i + 1] ?? 0)
      const raw = numbers[i + 2] ?? -1
      if (raw >= 0) numbers[i + 2] = bytes(raw)
    }
  }
}

function measure(numbers: Float64Array): { readonly length: number; readonly givenIds: number } {
  let length = 0
  let givenIds = 0
  for (let i = 0; i < numbers.length; i += columns) {
    length += (numbers[i + 1] ?? 0) + Math.max(numbers[i + 2] ?? 0, 0)
    givenIds += numbers[i + 3] ?? 0
  }
  return { length, givenIds }
}

/** The row of the hot journal for one group commit: a checksum, the numbers, and all bytes as they came. */
export function encodeFrame({ runs, buffer }: Cut): Buffer {
  const writer = createByteWriter(1024)
  writer.number(format)
  writer.number(runs.length)
  for (const run of runs) {
    writer.number(run.session)
    writer.number(run.first)
    writer.number(countOf(run))
    writer.number(run.version)
    writeHeaders(writer, run)
  }
  const head = writer.done()
  const body = Buffer.allocUnsafe(4 + head.length + buffer.length)
  head.copy(body, 4)
  buffer.copy(body, 4 + head.length)
  body.writeUInt32LE(crc32(body.subarray(4)))
  return body
}

/** A row of the hot journal, read back. Throws on bytes that are not what was written. */
export function decodeFrame(body: Buffer): readonly Run[] {
  if (body.length < 4 || body.readUInt32LE() !== crc32(body.subarray(4)))
    throw new RangeError('The frame does not match its checksum.')
  const reader = createByteReader(body, 4)
  if (reader.number() !== format) throw new RangeError('The frame has an unknown format.')
  const heads = Array.from({ length: reader.number() }, () => {
    const session = reader.number()
    const first = reader.number()
    const count = reader.number()
    const version = reader.number()
    return { session, first, version, ...readHeaders(reader, count) }
  })
  return heads.map(head => ({ ...head, bytes: reader.bytes(measure(head.numbers).length) }))
}

/** The numbers of a run, packed; times are differences to the entry before. */
function writeHeaders(writer: ByteWriter, { numbers, ids }: Run) {
  let time = 0
  let given = 0
  for (let i = 0; i < numbers.length; i += columns) {
    const at = numbers[i] ?? 0
    const hasId = numbers[i + 3] === 1
    writer.signed(at - time)
    writer.number(numbers[i + 1] ?? 0)
    writer.number(((numbers[i + 2] ?? -1) + 1) * 2 + (hasId ? 1 : 0))
    if (hasId) writer.bytes(uuidBytes(ids[given++] ?? ''))
    time = at
  }
}

function readHeaders(
  reader: ByteReader,
  count: number,
): { readonly numbers: Float64Array; readonly ids: readonly string[] } {
  const numbers = new Float64Array(count * columns)
  const ids: string[] = []
  let time = 0
  for (let i = 0; i < numbers.length; i += columns) {
    time += reader.signed()
    numbers[i] = time
    numbers[i + 1] = reader.number()
    const code = reader.number()
    numbers[i + 2] = Math.floor(code / 2) - 1
    numbers[i + 3] = code % 2
    if (code % 2 === 1) ids.push(uuidText(reader.bytes(16)))
  }
  return { numbers, ids }
}

/** A UUID as 16 bytes. */
export const uuidBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

/** A UUID of 16 bytes as text. */
export const uuidText = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
