import type { DatabaseSync } from 'node:sqlite'
import { decodeFrame } from '../format/frame.ts'
import type { Run } from '../format/run.ts'

/** The content of one row of the hot journal, or the reason why it cannot be read. */
export type HotFrame =
  | { readonly lsn: number; readonly runs: readonly Run[] }
  | { readonly lsn: number; readonly damage: string; readonly body: Buffer }

/** The rows of the hot journal, oldest first, including damaged ones. */
export function* readHotFrames(db: DatabaseSync): Generator<HotFrame, void, undefined> {
  for (const row of db.prepare('select lsn, body from frame order by lsn').iterate()) {
    const lsn = Number(row['lsn'])
    // A flipped bit can turn the whole body into nothing.
    const body = row['body'] instanceof Uint8Array ? Buffer.from(row['body']) : Buffer.alloc(0)
    try {
      yield { lsn, runs: decodeFrame(body) }
    } catch (error) {
      yield { lsn, damage: String(error), body }
    }
  }
}
