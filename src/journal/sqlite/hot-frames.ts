import type { DatabaseSync } from 'node:sqlite'
import { decodeFrame } from '../format/frame.ts'
import type { Run } from '../format/run.ts'

/** What one row of the hot journal holds, or why it cannot be read. */
export type HotFrame =
  | { readonly lsn: number; readonly runs: readonly Run[] }
  | { readonly lsn: number; readonly damage: string; readonly body: Buffer }

/**
 * Puts a hot journal aside whose table cannot be walked through, and starts a new one with the rows before the
 * damage, so that writing goes on. What lay behind it is missed by the witness, and `verify` says so.
 */
export function mendHotJournal(db: DatabaseSync): void {
  const whole: { readonly lsn: number; readonly body: Uint8Array }[] = []
  try {
    for (const row of db.prepare('select lsn, body from frame order by lsn').iterate())
      whole.push(row as unknown as { lsn: number; body: Uint8Array })
  } catch {
    const { sql } = db.prepare("select sql from sqlite_schema where name = 'frame'").get() as { sql: string }
    db.exec(`begin; alter table frame rename to damaged_frame_table_${Date.now()}; ${sql}`)
    const insert = db.prepare('insert into frame (lsn, body) values (?, ?)')
    for (const { lsn, body } of whole) insert.run(lsn, body)
    db.exec('commit')
  }
}

/** The rows of the hot journal, oldest first. A damaged row says so. */
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
