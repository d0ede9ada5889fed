import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/** The size of a page in all of our databases. */
export const pageSize = 4096
const headerSize = 32
const frameHeaderSize = 24
const frameSize = frameHeaderSize + pageSize

/** One slot of a write-ahead log: its page, and the sums of the page and of the whole slot. */
export interface WalFrame {
  readonly page: number
  readonly pageSum: number
  readonly slotSum: number
  /** The salt under which it was written; it differs in slots left over from before the log was restarted. */
  readonly salt: string
  /** Whether SQLite's own running checksum, from the first slot to this one, is right. */
  readonly sound: boolean
  /** For the last slot of a transaction, the size of the database in pages after it; else 0. */
  readonly commit: number
}

/** The content of a write-ahead log file. */
export interface WalFile {
  readonly size: number
  readonly salt: string
  readonly headerSound: boolean
  readonly frames: readonly WalFrame[]
}

/** Reads the first `limit` slots of a write-ahead log, comparing SQLite's checksums when asked to. */
export function readWalFile(
  path: string,
  { limit = Number.POSITIVE_INFINITY, compare = false } = {},
): WalFile | undefined {
  const file = tryOpen(path)
  if (file === undefined) return undefined
  try {
    const header = Buffer.alloc(headerSize)
    if (readSync(file, header, 0, headerSize, 0) < headerSize)
      return { size: 0, salt: '', headerSound: false, frames: [] }
    const bigEndian = (header.readUInt32BE(0) & 1) === 1
    const sums: Sums = [0, 0]
    addSums(sums, header.subarray(0, 24), bigEndian)
    const headerSound = matches(sums, header, 24)
    const salt = header.toString('hex', 16, 24)

    const frames: WalFrame[] = []
    const slot = Buffer.alloc(frameSize)
    let sound = headerSound
    for (let i = 0; i < limit; i++) {
      if (readSync(file, slot, 0, frameSize, headerSize + i * frameSize) < frameSize) break
      const frameSalt = slot.toString('hex', 8, 16)
      if (compare) {
        addSums(sums, slot.subarray(0, 8), bigEndian)
        addSums(sums, slot.subarray(frameHeaderSize), bigEndian)
        sound &&= frameSalt === salt && matches(sums, slot, 16)
      }
      const pageSum = crc32(slot.subarray(frameHeaderSize))
      frames.push({
        page: slot.readUInt32BE(0),
        commit: slot.readUInt32BE(4),
        salt: frameSalt,
        pageSum,
        slotSum: crc32(slot.subarray(0, frameHeaderSize), pageSum),
        sound,
      })
    }
    return { size: headerSize + frames.length * frameSize, salt, headerSound, frames }
  } finally {
    closeSync(file)
  }
}

/** The sum of each page of a database file. */
export function pageSums(path: string): Uint32Array<ArrayBuffer> {
  const file = openSync(path, 'r')
  try {
    const page = Buffer.alloc(pageSize)
    const sums: number[] = []
    while (readSync(file, page, 0, pageSize, sums.length * pageSize) === pageSize) sums.push(crc32(page))
    return Uint32Array.from(sums)
  } finally {
    closeSync(file)
  }
}

/** How many pages a database must have at least: after the last checkpoint, or after one that was interrupted. */
export function expectedPages(witnessed: number, wal: WalFile | undefined): number {
  const commits =
    wal?.frames.filter(frame => frame.sound && frame.commit > 0).map(frame => frame.commit) ?? []
  return Math.min(witnessed, ...commits)
}

/** The sums of the pages in a log. A checkpoint may have moved them into the database before the witness was updated. */
export function sumsInWal(wal: WalFile | undefined): ReadonlyMap<number, ReadonlySet<number>> {
  const sums = new Map<number, Set<number>>()
  for (const { page, pageSum, sound } of wal?.frames ?? [])
    if (sound) sums.set(page, (sums.get(page) ?? new Set()).add(pageSum))
  return sums
}

/** The salt of a write-ahead log; undefined without one. */
export function walSalt(path: string): string | undefined {
  const file = tryOpen(path)
  if (file === undefined) return undefined
  try {
    const header = Buffer.alloc(headerSize)
    return readSync(file, header, 0, headerSize, 0) < headerSize ? undefined : header.toString('hex', 16, 24)
  } finally {
    closeSync(file)
  }
}

/** How many slots a write-ahead log has room for. */
export const slotsIn = (path: string): number =>
  Math.floor(Math.max(0, (statSync(path, { throwIfNoEntry: false })?.size ?? 0) - headerSize) / frameSize)

function tryOpen(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

type Sums = [number, number]

/** SQLite's running checksum of a write-ahead log: two sums over pairs of 32-bit words. */
function addSums(sums: Sums, bytes: Buffer, bigEndian: boolean) {
  let [one, two] = sums
  for (let i = 0; i < bytes.length; i += 8) {
    one = (one + (bigEndian ? bytes.readUInt32BE(i) : bytes.readUInt32LE(i)) + two) >>> 0
    two = (two + (bigEndian ? bytes.readUInt32BE(i + 4) : bytes.readUInt32LE(i + 4)) + one) >>> 0
  }
  sums[0] = one
  sums[1] = two
}

const matches = ([one, two]: Sums, bytes: Buffer, offset: number) =>
  bytes.readUInt32BE(offset) === one && bytes.readUInt32BE(offset + 4) === two
