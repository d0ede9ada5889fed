import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The length of a link of a session's hash chain. */
export const linkLength = 32
/** The link before a session's first entry. */
export const firstLink: Buffer = Buffer.alloc(linkLength)

/** The checksum of one entry: its time, and its bytes (event, then raw). */
export const checksum = (at: number, bytes: Uint8Array): number => crc32(bytes, at % 2 ** 32)

let scratch = Buffer.alloc(64 * 1024)

/** The link after one more entry: a hash of the link before, the time, where the raw begins, and the bytes. */
export function nextLink(link: Buffer, at: number, eventLength: number, bytes: Uint8Array): Buffer {
  const length = linkLength + 12 + bytes.length
  if (length > scratch.length) scratch = Buffer.alloc(length * 2)
  link.copy(scratch, 0)
  scratch.writeDoubleLE(at, linkLength)
  scratch.writeUInt32LE(eventLength, linkLength + 8)
  scratch.set(bytes, linkLength + 12)
  return hash('sha256', scratch.subarray(0, length), 'buffer')
}
