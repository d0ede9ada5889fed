import { hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { ReadOptions } from '../importer.ts'
import { readJson } from './parse-json.ts'
import { isPacked, objectsOf, openFile, type FileLine } from './transcript-files.ts'

/** How far a growing file was read: to the end of a line. */
export interface FileEnd {
  readonly offset: number
  /** How many lines were read. */
  readonly lines: number
  readonly inode: number
  /** A hash of the last bytes that were read. If they change, the file was written again. */
  readonly last: string
}

/** The lines after a place in a file. */
export interface FileGrowth {
  readonly lines: readonly FileLine[]
  readonly end: FileEnd
  /** Whether there are complete lines after the end. */
  readonly hasMore: boolean
}

const comparedBytes = 4096
const searchedAtOnce = 64 * 1024
/** An incomplete line above this is not parsed to see whether only its newline is missing. */
const longestTail = 4 * 1024 * 1024
const newline = 0x0a

/**
 * Reads the complete lines after a place in a file, at most about so many bytes of them. Null if the file must be read from its start:
 * it is packed, or is not the one that was read before.
 */
export async function readGrowth(
  file: string,
  after: FileEnd | null,
  most: number,
  options: ReadOptions,
): Promise<FileGrowth | null> {
  await using handle = await openFile(file)
  const { size, ino } = await handle.stat()
  const { offset = 0, lines = 0 } = after ?? {}
  if (await isPacked(handle)) return null
  if (after !== null && (ino !== after.inode || size < offset)) return null
  if (after !== null && (await lastBytes(handle, offset)) !== after.last) return null
  const end = await endOfLines(handle, offset, size, most)
  const bytes = () => handle.createReadStream({ start: offset, end: end - 1, autoClose: false })
  const added = end === offset ? [] : await objectsOf(file, bytes(), lines, options)
  return {
    lines: added,
    end: { offset: end, lines: lines + added.length, inode: ino, last: await lastBytes(handle, end) },
    hasMore: offset < end && end < size && offset + most < size,
  }
}

/** The end of the last complete line within a number of bytes, or of the first line if that is longer. */
async function endOfLines(handle: FileHandle, from: number, size: number, most: number): Promise<number> {
  const limit = Math.min(size, from + most)
  for (let to = limit; to > from; to -= searchedAtOnce) {
    const start = Math.max(from, to - searchedAtOnce)
    const at = (await bytesAt(handle, start, to)).lastIndexOf(newline)
    if (at === -1) continue
    const end = start + at + 1
    return limit === size && (await isObject(handle, end, size)) ? size : end
  }
  for (let start = limit; start < size; start += searchedAtOnce) {
    const at = (await bytesAt(handle, start, Math.min(size, start + searchedAtOnce))).indexOf(newline)
    if (at !== -1) return start + at + 1
  }
  return (await isObject(handle, from, size)) ? size : from
}

/** Whether only the newline is missing after the last line. */
async function isObject(handle: FileHandle, from: number, to: number): Promise<boolean> {
  if (from >= to || to - from > longestTail) return false
  const text = (await bytesAt(handle, from, to)).toString()
  return text.trimEnd().endsWith('}') && readJson({ from: 'agent', text }).type === 'object'
}

const lastBytes = async (handle: FileHandle, end: number) =>
  hash('sha256', await bytesAt(handle, Math.max(0, end - comparedBytes), end), 'base64url')

async function bytesAt(handle: FileHandle, from: number, to: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(to - from), 0, to - from, from)
  return buffer.subarray(0, bytesRead)
}
