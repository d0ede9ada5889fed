import { DatabaseSync } from 'node:sqlite'
import { joinEvent } from '../../src/journal/sqlite/run.ts'
import { eventVersion } from '../../src/protocol/upcast.ts'
import type { Entry } from '../../src/protocol/entry.ts'
import type { EntryId, SessionId } from '../../src/protocol/ids.ts'

/** A connection that reads a table with one row per event. */
export interface RowReader extends Disposable {
  /** The session is given by its number in the table too: looking that up is nothing to measure. */
  read(session: SessionId, no: number, after: number, limit: number): readonly Entry[]
}

interface Row {
  readonly seq: number
  readonly id: Uint8Array
  readonly at: number
  readonly event: string
  readonly raw: string | null
}

/** Opens one on what a row store wrote; it gives entries like ours, made by the same functions. */
export function openRowReader(path: string): RowReader {
  const db = new DatabaseSync(path, { readOnly: true })
  db.exec('pragma cache_size = -32000')
  const select = db.prepare(
    'select seq, id, at, event, raw from event where session = ? and seq > ? order by seq limit ?',
  )
  return {
    read: (session, no, after, limit) =>
      (select.all(no, after, limit) as unknown as readonly Row[]).map(row => entryOf(session, row)),
    [Symbol.dispose]: () => db.close(),
  }
}

const entryOf = (session: SessionId, { seq, id, at, event, raw }: Row): Entry => ({
  session,
  seq,
  id: uuidOf(Buffer.from(id.buffer, id.byteOffset, id.byteLength).toString('hex')),
  at,
  event: joinEvent(JSON.parse(event), raw, eventVersion),
})

const uuidOf = (hex: string) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as EntryId
