import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Entry } from '../../protocol/entry.ts'
import type { EntryId } from '../../protocol/ids.ts'
import { createByteReader, createByteWriter, type ByteReader } from './bytes.ts'
import { checksum } from './checksum.ts'
import { uuidBytes, uuidText } from './frame.ts'
import { columns, countOf, entryText, joinEvent, type Naming, type Run } from './run.ts'

/** Settled entries of one session, packed: headers and events in one piece, raws in another. */
export interface Segment {
  readonly events: Buffer
  readonly raws: Buffer
}

const format = 1
const comma = 0x2c
const options = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
}

/** The fields of an entry in a segment besides its content. */
interface Header {
  readonly at: number
  readonly version: number
  readonly endsRun: boolean
  readonly eventLength: number
  readonly rawLength: number
  readonly checksum: number
  readonly id: string | null
}

// Used again for each segment; packing happens in one thread and one at a time.
const head = createByteWriter(64 * 1024)
const events = createByteWriter(256 * 1024)
const raws = createByteWriter(256 * 1024)

/** Packs consecutive runs. The events are stored as the inside of one JSON array, so that one parse reads them all. */
export function encodeSegment(runs: readonly Run[]): Segment {
  for (const writer of [head, events, raws]) writer.clear()
  head.number(format)
  head.number(runs.reduce((sum, run) => sum + countOf(run), 0))
  let time = 0
  for (const run of runs) time = writeRun(run, time)
  head.bytes(events.done().subarray(0, -1))
  return {
    events: zstdCompressSync(head.done(), options),
    raws: zstdCompressSync(raws.done(), options),
  }
}

/** Adds a run to the segment in the making; times are differences to the entry before. */
function writeRun({ version, numbers, ids, bytes }: Run, before: number): number {
  let time = before
  let start = 0
  let given = 0
  for (let i = 0; i < numbers.length; i += columns) {
    const at = numbers[i] ?? 0
    const eventLength = numbers[i + 1] ?? 0
    const rawLength = numbers[i + 2] ?? -1
    const middle = start + eventLength
    const end = middle + Math.max(rawLength, 0)
    head.signed(at - time)
    head.number(version * 2 + (i + columns === numbers.length ? 1 : 0))
    head.number(eventLength)
    head.number((rawLength + 1) * 2 + (numbers[i + 3] ?? 0))
    head.uint32(checksum(at, bytes.subarray(start, end)))
    if (numbers[i + 3] === 1) head.bytes(uuidBytes(ids[given++] ?? ''))
    events.copy(bytes, start, middle)
    events.byte(comma)
    raws.copy(bytes, middle, end)
    start = end
    time = at
  }
  return time
}

function readHeader(reader: ByteReader, time: number): Header {
  const at = time + reader.signed()
  const version = reader.number()
  const eventLength = reader.number()
  const code = reader.number()
  return {
    at,
    version: Math.floor(version / 2),
    endsRun: version % 2 === 1,
    eventLength,
    rawLength: Math.floor(code / 2) - 1,
    checksum: reader.uint32(),
    id: code % 2 === 1 ? uuidText(reader.bytes(16)) : null,
  }
}

/** A segment with its pieces unpacked, ready to be cut into entries. */
export interface Unpacked {
  readonly first: number
  readonly events: Buffer
  readonly raws: Buffer
}

/** Unpacks the pieces of a segment; raws that were left out stay so. Throws on damaged ones. */
export const unpack = (first: number, segment: Segment): Unpacked => ({
  first,
  events: zstdDecompressSync(segment.events),
  raws: segment.raws.length === 0 ? segment.raws : zstdDecompressSync(segment.raws),
})

/** The number of entries in a segment. */
export function countIn(unpacked: Unpacked): number {
  const reader = createByteReader(unpacked.events)
  reader.number()
  return reader.number()
}

function readHeaders(unpacked: Unpacked): { readonly headers: readonly Header[]; readonly start: number } {
  const reader = createByteReader(unpacked.events)
  if (reader.number() !== format) throw new RangeError('The segment has an unknown format.')
  const headers: Header[] = []
  let time = 0
  for (let left = reader.number(); left > 0; left--) {
    const header = readHeader(reader, time)
    headers.push(header)
    time = header.at
  }
  return { headers, start: reader.position }
}

/** A segment's runs as they were saved, byte for byte, with the checksums of their entries compared. */
export function runsOf(session: number, unpacked: Unpacked): readonly Run[] {
  const { headers, start } = readHeaders(unpacked)
  const runs: Run[] = []
  let own: Header[] = []
  let pieces: Buffer[] = []
  let event = start
  let raw = 0
  let { first } = unpacked
  for (const header of headers) {
    const rawLength = Math.max(header.rawLength, 0)
    const eventBytes = unpacked.events.subarray(event, event + header.eventLength)
    const rawBytes = unpacked.raws.subarray(raw, raw + rawLength)
    const bytes = Buffer.concat([eventBytes, rawBytes])
    if (bytes.length !== header.eventLength + rawLength || checksum(header.at, bytes) !== header.checksum)
      throw new RangeError(`Entry ${first + own.length} does not match its checksum.`)
    own.push(header)
    pieces.push(bytes)
    event += header.eventLength + 1
    raw += rawLength
    if (!header.endsRun) continue
    runs.push(toRun(session, first, own, Buffer.concat(pieces)))
    first += own.length
    own = []
    pieces = []
  }
  return runs
}

function toRun(session: number, first: number, headers: readonly Header[], bytes: Buffer): Run {
  const numbers = new Float64Array(headers.length * columns)
  for (const [index, { at, eventLength, rawLength, id }] of headers.entries())
    numbers.set([at, eventLength, rawLength, id === null ? 0 : 1], index * columns)
  const ids = headers.flatMap(({ id }) => (id === null ? [] : [id]))
  return { session, first, version: headers[0]?.version ?? 1, numbers, ids, bytes }
}

/** A segment's entries for readers: all events in one parse, raws cut from one text where that is exact. */
export function entriesOf(naming: Naming, unpacked: Unpacked): readonly Entry[] {
  const { headers, start } = readHeaders(unpacked)
  const parsed = JSON.parse(`[${unpacked.events.toString('utf8', start)}]`) as readonly unknown[]
  const cut = createCutter(unpacked.raws, 0)
  return headers.map(({ version, at, id, rawLength }, index) => {
    const seq = unpacked.first + index
    const raw = rawLength < 0 ? null : cut(rawLength)
    const event = joinEvent(parsed[index], raw, version)
    return { session: naming.session, seq, id: (id ?? naming.idOf(seq, at)) as EntryId, at, event }
  })
}

/** A segment's entries as JSON texts without the raws, cut out of the stored JSON. */
export function textsOf(naming: Naming, unpacked: Unpacked): readonly string[] {
  const { headers, start } = readHeaders(unpacked)
  const cut = createCutter(unpacked.events, start)
  return headers.map(({ at, id, eventLength }, index) => {
    const seq = unpacked.first + index
    const event = cut(eventLength)
    cut(1)
    return entryText({ session: naming.session, seq, id: (id ?? naming.idOf(seq, at)) as EntryId, at }, event)
  })
}

/** Cuts pieces of the given length in bytes from a buffer, one after the other: from one text where that is exact. */
function createCutter(bytes: Buffer, start: number): (length: number) => string {
  const text = bytes.toString('utf8', start)
  const isAscii = text.length === bytes.length - start
  let offset = 0
  return length => {
    const from = offset
    offset += length
    return isAscii ? text.slice(from, offset) : bytes.toString('utf8', start + from, start + offset)
  }
}
