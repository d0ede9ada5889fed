import { constants } from 'node:fs'
import { open, readdir, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import type { Raw } from '../../protocol/event.ts'
import type { ReadOptions } from '../importer.ts'
import { bounded, TooMuchUnpacked } from './unpack-bounds.ts'
import type { Fields } from './fields.ts'
import { readLines } from './line-reader.ts'
import { readJson } from './parse-json.ts'

/** A line of a file: as it was written and, unless it is too long, as an object. */
export interface FileLine {
  readonly raw: Raw
  readonly fields: Fields | null
}

/**
 * The files below a folder, sorted by name, or the file itself. Links are not followed. A folder that cannot be read is
 * passed over, and reported at the end.
 */
export async function* filesBelow(path: string): AsyncGenerator<string> {
  const stats = await stat(path)
  if (stats.isFile()) return yield path
  if (!stats.isDirectory()) throw new Error(notFile)
  const failures: unknown[] = []
  yield* filesIn(path, failures)
  if (failures.length > 0) throw failures[0]
}

async function* filesIn(folder: string, failures: unknown[]): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    failures.push(error)
    return []
  })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const below = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesIn(below, failures)
    else if (entry.isFile()) yield below
  }
}

const notFile = 'This is neither a file nor a folder. Choose a transcript, or a folder with transcripts.'

/** Opens a file for reading: not a pipe, which would block us, and not a device, which may never end. */
export async function openFile(file: string): Promise<FileHandle> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!(await handle.stat()).isFile()) throw new Error(notFile)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** A file's name without its extensions. */
export const stemOf = (file: string): string =>
  (file.split(/[/\\]/).at(-1) ?? file).replace(/\.(gz|zst)$/, '').replace(/\.jsonl?$/, '')

/** The lines of a file of JSON objects, packed or not, as far as it is intact. Other lines are reported and skipped. */
export const readObjects = async (file: string, options: ReadOptions): Promise<readonly FileLine[]> =>
  objectsOf(file, await bytesOf(file, options), 0, options)

/** The lines in some bytes of a file of JSON objects; `before` is how many lines are before them. */
export async function objectsOf(
  file: string,
  given: AsyncIterable<Uint8Array>,
  before: number,
  { dataFolder, skip }: ReadOptions,
): Promise<readonly FileLine[]> {
  const place = { line: before }
  const lines: FileLine[] = []
  const broken = (error: unknown) => {
    const reason = `It is damaged from here on: ${(error as Error).message}.`
    skip({ file, line: place.line + 1, reason, isEnd: true })
  }
  const bytes = lineByLine(untilBroken(given, broken), place)
  for await (const raw of readLines(bytes, { dataFolder })) {
    const reading = readJson({ from: 'agent', text: raw.raw, cut: raw.rawFile !== undefined })
    if (reading.type === 'object') lines.push({ raw, fields: reading.value })
    else if (reading.code === 'line-too-long') {
      skip({ file, line: place.line, reason: tooLong })
      lines.push({ raw, fields: null })
    } else skip({ file, line: place.line, reason: reading.message.replace('The agent wrote a', 'This is a') })
  }
  return lines
}

const tooLong = 'The line is too long to translate. The original is saved.'

async function* untilBroken(
  bytes: AsyncIterable<Uint8Array>,
  broken: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes
  } catch (error) {
    if (error instanceof TooMuchUnpacked) throw error
    broken(error)
  }
}

const beginningBytes = 1024 * 1024
/** The first line may be a prompt with pictures. */
const longestFirst = 32 * 1024 * 1024
/** How much is unpacked at a time. Each piece is a round trip to a thread, so small pieces are slow. */
const chunkSize = 128 * 1024
const newline = 0x0a

/** The objects at the beginning of a file, read only as far as needed; none if the file is of another kind. */
export async function* beginningOf(file: string): AsyncGenerator<Fields> {
  let rest: Uint8Array[] = []
  for await (const piece of beginningPieces(file)) {
    const end = piece.lastIndexOf(newline) + 1
    if (end > 0) yield* objectsIn(Buffer.concat([...rest, piece.subarray(0, end)]).toString())
    rest = end > 0 ? [piece.subarray(end)] : [...rest, piece]
  }
  yield* objectsIn(Buffer.concat(rest).toString())
}

/** The first object in a file; undefined if there is none at its beginning. */
export async function firstIn(file: string): Promise<Fields | undefined> {
  for await (const first of beginningOf(file)) return first
  return undefined
}

async function* beginningPieces(file: string): AsyncGenerator<Uint8Array> {
  let length = 0
  let hasLine = false
  try {
    for await (const piece of await bytesOf(file, { end: longestFirst })) {
      yield piece
      length += piece.length
      hasLine ||= piece.includes(newline)
      if (length >= (hasLine ? beginningBytes : longestFirst)) return
    }
  } catch {
    // What was read is enough to recognize the file; reading all of it will report what is wrong.
  }
}

function* objectsIn(lines: string): Generator<Fields> {
  for (const text of lines.split('\n')) {
    const reading = readJson({ from: 'agent', text })
    if (reading.type === 'object') yield reading.value
  }
}

/** Why nothing can be read in a file that is named like a transcript; null if something can, or if it is empty. */
export async function troubleWith(file: string): Promise<string | null> {
  if ((await firstIn(file)) !== undefined) return null
  let length = 0
  try {
    for await (const piece of await bytesOf(file)) length += piece.length
  } catch (error) {
    if (error instanceof TooMuchUnpacked) return error.message
    return `It cannot be unpacked: ${(error as Error).message}.`
  }
  return length === 0 ? null : 'It does not start with a line of JSON.'
}

/** The JSON object in a file; undefined if the file is not one JSON object. */
export async function readWhole(file: string, unpackLimit?: number): Promise<Fields | undefined> {
  const pieces: Uint8Array[] = []
  for await (const piece of await bytesOf(file, { unpackLimit })) pieces.push(piece)
  const reading = readJson({ from: 'agent', text: Buffer.concat(pieces).toString() })
  return reading.type === 'object' ? reading.value : undefined
}

/** Whether a file is packed, by its first bytes. */
export const isPacked = async (handle: FileHandle): Promise<boolean> => (await packingOf(handle)) !== null

async function packingOf(handle: FileHandle): Promise<'gzip' | 'zstd' | null> {
  const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0)
  if (buffer.readUInt16BE() === 0x1f8b) return 'gzip'
  return buffer.readUInt32LE() === 0xfd2fb528 ? 'zstd' : null
}

const longestText = 16 * 1024 * 1024

/** The text of a small file beside a transcript. One that is too long is cut off. */
export async function readText(file: string): Promise<string> {
  const pieces: Uint8Array[] = []
  const handle = await openFile(file)
  for await (const piece of handle.createReadStream({ end: longestText - 1 }))
    pieces.push(piece as Uint8Array)
  return Buffer.concat(pieces).toString()
}

/** The bytes of a file, unpacked. */
async function bytesOf(
  file: string,
  { end, unpackLimit }: { readonly end?: number; readonly unpackLimit?: number | undefined } = {},
): Promise<AsyncIterable<Uint8Array>> {
  const handle = await openFile(file)
  const packing = await packingOf(handle)
  // It closes the handle.
  const stream = handle.createReadStream({ start: 0, ...(end !== undefined && { end }) })
  if (packing === null) return stream
  const unpacked = packing === 'gzip' ? createGunzip({ chunkSize }) : createZstdDecompress({ chunkSize })
  // The reader gets the failure.
  pipeline(stream, unpacked, () => undefined)
  return bounded(unpacked, unpackLimit)
}

/** Passes bytes on and counts the lines in them, from the given place on. */
async function* lineByLine(
  bytes: AsyncIterable<Uint8Array>,
  place: { line: number },
): AsyncGenerator<Uint8Array> {
  let ended = place.line
  for await (const piece of bytes) {
    for (let from = 0; from < piece.length;) {
      const at = piece.indexOf(newline, from)
      const to = at === -1 ? piece.length : at + 1
      place.line = ended + 1
      yield piece.subarray(from, to)
      if (at !== -1) ended += 1
      from = to
    }
  }
}
