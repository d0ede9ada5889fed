import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Entry } from '../../protocol/entry.ts'
import type { EntryId } from '../../protocol/ids.ts'
import { createByteReader, createByteWriter } from './bytes.ts'
import { checksum } from './checksum.ts'
import { readHeader, writeHeader } from './frame.ts'
import { joinEvent, type Naming, type Stored } from './stored.ts'

/** Settled entries of one session, packed: headers and events in one piece, raws in another. */
export interface Segment {
  readonly events: Buffer
  readonly raws: Buffer
}

const format = 1
const comma = Buffer.from(',')
const options = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } }

/** Packs consecutive entries. Events lie there as the inside of one JSON array, so that one parse reads them all. */
export function encodeSegment(entries: readonly Stored[]): Segment {
  const writer = createByteWriter(64 * 1024)
  writer.number(format)
  writer.number(entries.length)
  let time = 0
  for (const entry of entries) {
    writeHeader(writer, entry, time)
    time = entry.at
  }
  for (const [index, { bytes, eventLength }] of entries.entries()) {
    if (index > 0) writer.bytes(comma)
    writer.bytes(bytes.subarray(0, eventLength))
  }
  const raws = entries.map(({ bytes, eventLength }) => bytes.subarray(eventLength))
  return {
    events: zstdCompressSync(writer.done(), options),
    raws: zstdCompressSync(Buffer.concat(raws), options),
  }
}

/** A segment with its pieces unpacked, ready to be cut into entries. */
export interface Unpacked {
  readonly first: number
  readonly events: Buffer
  readonly raws: Buffer
}

/** Unpacks the pieces of a segment. Throws on damaged ones. */
export const unpack = (first: number, { events, raws }: Segment): Unpacked => ({
  first,
  events: zstdDecompressSync(events),
  raws: zstdDecompressSync(raws),
})

function readHeaders({ first, events }: Unpacked) {
  const reader = createByteReader(events)
  if (reader.number() !== format) throw new RangeError('The segment has an unknown format.')
  const count = reader.number()
  const headers: ReturnType<typeof readHeader>[] = []
  for (let k = 0, time = 0; k < count; k++) {
    const header = readHeader(reader, first + k, time)
    headers.push(header)
    time = header.at
  }
  return { headers, start: reader.position }
}

/** A segment's entries as they were stored, byte for byte, with their checksums compared. */
export function storedEntries(unpacked: Unpacked): readonly Stored[] {
  const { headers, start } = readHeaders(unpacked)
  let event = start
  let raw = 0
  return headers.map(header => {
    const { eventLength, length } = header
    const eventBytes = unpacked.events.subarray(event, event + eventLength)
    const rawBytes = unpacked.raws.subarray(raw, raw + length - eventLength)
    event += eventLength + comma.length
    raw += length - eventLength
    const bytes = rawBytes.length === 0 ? eventBytes : Buffer.concat([eventBytes, rawBytes])
    if (bytes.length !== length || checksum(header.at, bytes) !== header.checksum)
      throw new RangeError(`Entry ${header.seq} does not match its checksum.`)
    return { ...header, bytes }
  })
}

/** A segment's entries for readers: all events in one parse, raws cut from one text where that is exact. */
export function entriesOf(naming: Naming, unpacked: Unpacked): readonly Entry[] {
  const { headers, start } = readHeaders(unpacked)
  const events = JSON.parse(`[${unpacked.events.toString('utf8', start)}]`) as readonly unknown[]
  const text = unpacked.raws.toString('utf8')
  const isAscii = text.length === unpacked.raws.length
  let raw = 0
  return headers.map(({ seq, version, at, id, eventLength, length, hasRaw }, index) => {
    const end = raw + length - eventLength
    const rawText = isAscii ? text.slice(raw, end) : unpacked.raws.toString('utf8', raw, end)
    raw = end
    const event = joinEvent(events[index], hasRaw ? rawText : null, version)
    return { session: naming.session, seq, id: (id ?? naming.idOf(seq, at)) as EntryId, at, event }
  })
}
