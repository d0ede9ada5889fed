import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { DragomanError } from '../../protocol/error.ts'
import type { Raw } from '../../protocol/event.ts'
import { overflowFolder } from './overflow.ts'

type RawFile = NonNullable<Raw['rawFile']>

/** Returns a native message byte for byte, in pieces, from the journal or from its file. */
export async function* rawBytes(raw: Raw, dataFolder: string): AsyncGenerator<Uint8Array> {
  if (raw.rawFile) return yield* fileBytes(raw.rawFile, dataFolder)
  yield raw.rawBytes === undefined ? Buffer.from(raw.raw) : Buffer.from(raw.rawBytes, 'base64')
}

async function* fileBytes({ name, sha256 }: RawFile, dataFolder: string): AsyncGenerator<Uint8Array> {
  if (!/^[0-9a-f]{64}$/.test(name))
    throw new DragomanError(
      'save-failed',
      'This line could not be written to disk, so only its beginning is saved.',
    )
  const path = join(overflowFolder(dataFolder), name)
  if (!existsSync(path)) throw damaged(`${path}, which contains a long line, is missing.`)
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(piece)
    yield piece
  }
  if (hash.digest('hex') !== sha256)
    throw damaged(`${path}, which contains a long line, differs from what was saved.`)
}

const damaged = (what: string) =>
  new DragomanError(
    'session-damaged',
    `${what} Restore it from a backup; run "dragoman verify" to check for more damage.`,
  )
