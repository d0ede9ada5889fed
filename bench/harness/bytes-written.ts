import { readFileSync } from 'node:fs'

/**
 * The bytes that this process, all threads together, has caused to be sent to the disk so far: Linux counts
 * each page of the page cache when it becomes dirty, so a page written twice between two syncs counts once,
 * as on the disk. The file system's own journal is not in it.
 */
export function bytesWritten(): number {
  const value = /^write_bytes: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]
  return Number(value)
}
