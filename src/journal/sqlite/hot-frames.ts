import type { DatabaseSync } from 'node:sqlite'
import { checksum } from './checksum.ts'
import { decodeFrame } from './frame.ts'
import type { Run, Stored } from './stored.ts'

/** What one row of the hot journal holds, or why it cannot be read. */
export type HotFrame =
  | { readonly lsn: number; readonly runs: readonly Run[] }
  | { readonly lsn: number; readonly damage: string; readonly body: Buffer }

/** The rows of the hot journal, oldest first. A damaged row says so; a damaged table ends the reading. */
export function* readHotFrames(db: DatabaseSync): Generator<HotFrame, void, undefined> {
  for (const row of db.prepare('select lsn, body from frame order by lsn').iterate()) {
    const lsn = Number(row['lsn'])
    const body = Buffer.from(row['body'] as Uint8Array)
    try {
      const runs = decodeFrame(body)
      for (const { entries } of runs) entries.forEach(compare)
      yield { lsn, runs }
    } catch (error) {
      yield { lsn, damage: String(error), body }
    }
  }
}

function compare({ seq, at, bytes, checksum: expected }: Stored) {
  if (checksum(at, bytes) !== expected) throw new RangeError(`Entry ${seq} does not match its checksum.`)
}
