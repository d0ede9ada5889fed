import { DragomanError } from '../protocol/error.ts'
import type { Raw } from '../protocol/event.ts'

/** Returns the original bytes of a native line, unless it is stored in a file because of its length. */
export async function* shortRawBytes(raw: Raw): AsyncGenerator<Uint8Array> {
  if (raw.rawFile !== undefined)
    throw new DragomanError(
      'unknown-entry',
      `This line has ${raw.rawFile.bytes} bytes and is stored in a file that this server cannot read. Pass "rawBytes" to createDragoman.`,
    )
  yield raw.rawBytes === undefined ? Buffer.from(raw.raw) : Buffer.from(raw.rawBytes, 'base64')
}
