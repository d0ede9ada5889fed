import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { DragomanError } from '../../protocol/error.ts'
import type { Raw } from '../../protocol/event.ts'
import { overflowFolder } from './overflow.ts'

/** Gives a native message back byte for byte, in pieces, wherever it is kept. */
export async function* rawBytes(raw: Raw, dataFolder: string): AsyncGenerator<Uint8Array> {
  if (raw.rawFile) return yield* fileBytes(raw.rawFile.name, dataFolder)
  yield raw.rawBytes === undefined ? Buffer.from(raw.raw) : Buffer.from(raw.rawBytes, 'base64')
}

async function* fileBytes(name: string, dataFolder: string): AsyncGenerator<Uint8Array> {
  if (!/^[0-9a-f]{64}$/.test(name))
    throw new DragomanError(
      'save-failed',
      'The disk refused this line when it came, so only its beginning is known.',
    )
  yield* createReadStream(join(overflowFolder(dataFolder), name))
}
