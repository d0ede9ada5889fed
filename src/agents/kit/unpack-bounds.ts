import type { Transform } from 'node:stream'

const mebibyte = 1024 * 1024
const usualLimit = 1024 * mebibyte
/** Text packs to a tenth or so; only what is made to fill a disk packs to less than a hundredth. */
const largestRatio = 100
/** Below this, the ratio does not matter: a line must be longer to get a file of its own, so many files fill no disk either. */
const harmless = 4 * mebibyte
/** Each line is kept in memory while a file is read, however short it is. */
const mostLines = 2_000_000
const newline = 0x0a

/** A packed file that would unpack to more than is allowed. */
export class TooMuchUnpacked extends Error {
  constructor(what: string) {
    super(`It unpacks to ${what}, so it was not imported. If you trust the file, raise --unpack-limit.`)
  }
}

/** Gives what is unpacked, as long as it is not too much: by its size, and by how much more it is than was packed. */
export async function* bounded(
  unpacked: Transform & { readonly bytesWritten: number },
  limit?: number,
): AsyncGenerator<Uint8Array> {
  const most = limit ?? usualLimit
  let length = 0
  let lines = 0
  for await (const piece of unpacked as AsyncIterable<Uint8Array>) {
    length += piece.length
    if (length > most) throw new TooMuchUnpacked(`more than ${Math.round(most / mebibyte)} MiB`)
    if (limit === undefined && length > harmless && length > unpacked.bytesWritten * largestRatio)
      throw new TooMuchUnpacked(`more than ${largestRatio} times its size`)
    lines += linesIn(piece)
    if (limit === undefined && lines > mostLines) throw new TooMuchUnpacked(`more than ${mostLines} lines`)
    yield piece
  }
}

function linesIn(piece: Uint8Array): number {
  let count = 0
  for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, at + 1)) count += 1
  return count
}
