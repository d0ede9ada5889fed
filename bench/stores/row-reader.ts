import { DatabaseSync } from 'node:sqlite'
import { entryText, joinEvent } from '../../src/journal/format/run.ts'
import { eventVersion } from '../../src/protocol/upcast.ts'
import type { Entry } from '../../src/protocol/entry.ts'
import type { EntryId, SessionId } from '../../src/protocol/ids.ts'

/** A connection that reads a table with one row per event. */
export interface RowReader extends Disposable {
  /** The session is given by its number in the table too: looking that up is nothing to measure. */
  read(session: SessionId, no: number, after: number, limit: number): readonly Entry[]
  /** The same as JSON texts without the raws. */
  readTexts(session: SessionId, no: number, after: number, limit: number): readonly string[]
}

interface TextRow {
  readonly seq: number
  readonly id: Uint8Array
  readonly at: number
  readonly event: string
}

interface Row extends TextRow {
  readonly raw: string | null
}

/** Opens a reader of a row store; it gives entries like ours, made by the same functions. */
export function openRowReader(path: string): RowReader {
  const db = new DatabaseSync(path, { readOnly: true })
  db.exec('pragma cache_size = -32000')
  const rows = (columns: string) =>
    db.prepare(`select ${columns} from event where session = ? and seq > ? order by seq limit ?`)
  const whole = rows('seq, id, at, event, raw')
  const texts = rows('seq, id, at, event')
  return {
    read: (session, no, after, limit) =>
      (whole.all(no, after, limit) as unknown as readonly Row[]).map(row => entryOf(session, row)),
    readTexts: (session, no, after, limit) =>
      (texts.all(no, after, limit) as unknown as readonly TextRow[]).map(row => textOf(session, row)),
    [Symbol.dispose]: () => db.close(),
  }
}

const entryOf = (session: SessionId, { seq, id, at, event, raw }: Row): Entry => ({
  session,
  seq,
  id: uuidOf(id),
  at,
  event: joinEvent(JSON.parse(event), raw, eventVersion),
})

const textOf = (session: SessionId, { seq, id, at, event }: TextRow) =>
  entryText({ session, seq, id: uuidOf(id), at }, event)

function uuidOf(bytes: Uint8Array): EntryId {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as EntryId
}
