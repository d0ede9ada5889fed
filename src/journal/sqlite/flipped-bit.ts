import { crc32 } from 'node:zlib'
import { pageSize } from './wal-file.ts'

const bits = pageSize * 8

/** Each bit of a page, by the change of the checksum that flipping it causes. */
let bitBySumChange: ReadonlyMap<number, number> | undefined

function sumChanges(): ReadonlyMap<number, number> {
  const page = Buffer.alloc(pageSize)
  const unchanged = crc32(page)
  const changes = new Map<number, number>()
  for (let bit = 0; bit < bits; bit++) {
    page[bit >> 3] = 1 << (bit & 7)
    changes.set((crc32(page) ^ unchanged) >>> 0, bit)
    page[bit >> 3] = 0
  }
  return changes
}

/** The one bit of a page that must be flipped to match its sum; undefined when the page matches, or more is damaged. */
export function findFlippedBit(page: Buffer, sum: number | undefined): number | undefined {
  const change = sum === undefined ? 0 : (crc32(page) ^ sum) >>> 0
  if (change === 0) return undefined
  // A flipped bit changes the sum in the same way, whatever the content of the page is.
  bitBySumChange ??= sumChanges()
  return bitBySumChange.get(change)
}
