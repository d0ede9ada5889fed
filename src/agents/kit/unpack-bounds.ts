import type { Transform } from 'node:stream'

const mebibyte = 1024 * 1024
const usualLimit = 1024 * mebibyte
/** Text packs to about a tenth; only a decompression bomb packs to less than a hundredth. */
const largestRatio = 100
/** Below this size the ratio does not matter: only longer lines get a separate file, so many small files cannot fill a disk either. */
const harmless = 4 * mebibyte
/** Each line takes memory while a file is read, however short it is. */
const mostLines = 2_000_000
const newline = 0x0a

/** A packed file that would unpack to more than is allowed. */
export class TooMuchUnpacked extends Error {
  constructor(what: string) {
    super(`It unpacks to ${what}, so it was not imported. If you trust the file, raise --unpack-limit.`)
  }
}

/** Passes unpacked bytes on, up to a limit for their size and for their ratio to the packed bytes. */
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
