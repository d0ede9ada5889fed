import { eventVersion } from '../../protocol/upcast.ts'
import { createByteReader, createByteWriter, type ByteReader, type ByteWriter } from './bytes.ts'
import { checksum } from './checksum.ts'
import type { Run, Stored } from './stored.ts'

/**
 * The entries of one group commit on their way to the writer: all texts in one string, because that is the
 * cheapest thing to hand to another thread, and the numbers that cut it up again.
 */
export interface Batch {
  readonly text: string
  /** For each run: session, first seq, count; then for each entry: time, event length, raw length or -1, 1 if an id is given. */
  readonly numbers: Float64Array<ArrayBuffer>
  readonly ids: readonly string[]
}

const format = 1

/** Cuts a batch into runs of stored entries, over one buffer that holds all of their bytes. */
export function cutBatch({ text, numbers, ids }: Batch): readonly Run[] {
  const buffer = Buffer.from(text, 'utf8')
  const isAscii = buffer.length === text.length
  const runs: Run[] = []
  let chars = 0
  let bytes = 0
  let given = 0
  const byteLength = (length: number) => {
    const start = chars
    chars += length
    return isAscii ? length : Buffer.byteLength(text.slice(start, chars))
  }

  for (let i = 0; i < numbers.length;) {
    const session = value(numbers, i)
    const first = value(numbers, i + 1)
    const count = value(numbers, i + 2)
    i += 3
    const entries: Stored[] = []
    for (let k = 0; k < count; k++, i += 4) {
      const time = value(numbers, i)
      const rawChars = value(numbers, i + 2)
      const eventLength = byteLength(value(numbers, i + 1))
      const length = eventLength + (rawChars < 0 ? 0 : byteLength(rawChars))
      const slice = buffer.subarray(bytes, (bytes += length))
      const id = value(numbers, i + 3) === 1 ? (ids[given++] ?? null) : null
      const sum = checksum(time, slice)
      entries.push({
        seq: first + k,
        at: time,
        id,
        bytes: slice,
        eventLength,
        hasRaw: rawChars >= 0,
        version: eventVersion,
        checksum: sum,
      })
    }
    runs.push({ session, entries })
  }
  return runs
}

const value = (numbers: Float64Array, index: number) => numbers[index] ?? 0

/** The row of the hot journal for one group commit. */
export function encodeFrame(runs: readonly Run[]): Buffer {
  const writer = createByteWriter(4096)
  writer.number(format)
  writer.number(runs.length)
  for (const { session, entries } of runs) {
    writer.number(session)
    writer.number(entries[0]?.seq ?? 0)
    writer.number(entries.length)
    let time = 0
    for (const entry of entries) {
      writeHeader(writer, entry, time)
      writer.bytes(entry.bytes)
      time = entry.at
    }
  }
  return writer.done()
}

/** A row of the hot journal, read back. Throws on bytes that are no frame; checksums are for the caller to compare. */
export function decodeFrame(body: Buffer): readonly Run[] {
  const reader = createByteReader(body)
  if (reader.number() !== format) throw new RangeError('The frame has an unknown format.')
  const runs: Run[] = []
  for (let left = reader.number(); left > 0; left--) {
    const session = reader.number()
    const first = reader.number()
    const count = reader.number()
    const entries: Stored[] = []
    for (let k = 0, time = 0; k < count; k++) {
      const header = readHeader(reader, first + k, time)
      entries.push({ ...header, bytes: reader.bytes(header.length) })
      time = header.at
    }
    runs.push({ session, entries })
  }
  return runs
}

/** What a stored entry has besides its bytes, packed; times are differences to the entry before. */
export function writeHeader(writer: ByteWriter, entry: Stored, time: number) {
  writer.number(entry.version)
  writer.signed(entry.at - time)
  writer.number(entry.eventLength)
  writer.number(
    (entry.hasRaw ? (entry.bytes.length - entry.eventLength + 1) * 2 : 0) + (entry.id === null ? 0 : 1),
  )
  writer.uint32(entry.checksum)
  if (entry.id !== null) writer.bytes(Buffer.from(entry.id.replaceAll('-', ''), 'hex'))
}

/** A packed header, read back, with the number of bytes that belong to it. */
export function readHeader(reader: ByteReader, seq: number, time: number) {
  const version = reader.number()
  const at = time + reader.signed()
  const eventLength = reader.number()
  const code = reader.number()
  const sum = reader.uint32()
  const id = code % 2 === 1 ? uuidText(reader.bytes(16)) : null
  const hasRaw = code >= 2
  const length = eventLength + (hasRaw ? Math.floor(code / 2) - 1 : 0)
  return { seq, version, at, id, eventLength, hasRaw, length, checksum: sum }
}

const uuidText = (bytes: Buffer) =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
