import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { asBuffer } from './bytes.ts'
import type { Run } from './run.ts'

/** The link before a session's first entry. */
export const firstLink: Buffer = Buffer.alloc(32)

/** The checksum of one entry: its time, and its bytes (event, then raw). */
export const checksum = (at: number, bytes: Uint8Array): number => crc32(bytes, at % 2 ** 32)

let scratch = Buffer.alloc(64 * 1024)

/** The link after a run: a hash of the link before it and of the content of the run. */
export function nextLink(link: Buffer, { numbers, ids, bytes }: Run): Buffer {
  const pieces = [
    link,
    asBuffer(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)),
    bytes,
  ]
  if (ids.length > 0) pieces.push(Buffer.from(ids.join()))
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length > scratch.length) scratch = Buffer.alloc(length * 2)
  let offset = 0
  for (const piece of pieces) offset += piece.copy(scratch, offset)
  return hash('sha256', scratch.subarray(0, length), 'buffer')
}
