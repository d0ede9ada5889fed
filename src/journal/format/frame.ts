import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { eventVersion } from '../../protocol/upcast.ts'
import { asBuffer, createByteReader, createByteWriter, type ByteReader, type ByteWriter } from './bytes.ts'
import { columns, countOf, type Run } from './run.ts'

/** The entries of one group commit on their way to the writer: all texts in one buffer, and the numbers that cut it up again. */
export interface Batch {
  /** Event, raw, event, raw … of all entries, as UTF-8. There may be unused bytes behind them. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** For each run: session, first seq, count; then for each entry the numbers of a run. */
  readonly numbers: Float64Array<ArrayBuffer>
  readonly ids: readonly string[]
}

/** The stored format of a frame: its content as it is, or compressed. */
const plain = 1
const compressed = 2
const runColumns = 3

/** Smaller frames are not compressed: compressing them would take longer than writing them. */
const smallFrame = 16 * 1024
/** The fastest setting that still saves two thirds. Frames live for seconds, so a smaller size is not worth more time. */
const compression = { params: { [constants.ZSTD_c_compressionLevel]: -4 }, chunkSize: 128 * 1024 }

/** Cuts a batch into runs. */
export function cutBatch({ bytes, numbers, ids }: Batch): readonly Run[] {
  const buffer = asBuffer(bytes)
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
  return runs
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

/** The row of the hot journal for one group commit: a checksum, the format, and the content, compressed if it is large. */
export function encodeFrame(runs: readonly Run[]): Buffer {
  const content = contentOf(runs)
  const short = content.length > smallFrame ? zstdCompressSync(content, compression) : content
  const stored = short.length < content.length ? short : content
  const body = Buffer.allocUnsafe(5 + stored.length)
  body[4] = stored === content ? plain : compressed
  stored.copy(body, 5)
  body.writeUInt32LE(crc32(body.subarray(4)))
  return body
}

// Used again for each frame; frames are made in one thread and one at a time.
let scratch = Buffer.allocUnsafeSlow(1024 * 1024)

/** The numbers of all runs, then all bytes as they came. */
function contentOf(runs: readonly Run[]): Buffer {
  const writer = createByteWriter(1024)
  writer.number(runs.length)
  for (const run of runs) {
    writer.number(run.session)
    writer.number(run.first)
    writer.number(countOf(run))
    writer.number(run.version)
    writeHeaders(writer, run)
  }
  const head = writer.done()
  const length = runs.reduce((sum, { bytes }) => sum + bytes.length, head.length)
  if (length > scratch.length) scratch = Buffer.allocUnsafeSlow(length * 2)
  let offset = head.copy(scratch)
  for (const { bytes } of runs) offset += bytes.copy(scratch, offset)
  return scratch.subarray(0, length)
}

/** A row of the hot journal, read back. Throws on bytes that are not what was written. */
export function decodeFrame(body: Buffer): readonly Run[] {
  if (body.length < 5 || body.readUInt32LE() !== crc32(body.subarray(4)))
    throw new RangeError('The frame does not match its checksum.')
  if (body[4] !== plain && body[4] !== compressed) throw new RangeError('The frame has an unknown format.')
  const stored = body.subarray(5)
  const reader = createByteReader(body[4] === compressed ? zstdDecompressSync(stored) : stored)
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
