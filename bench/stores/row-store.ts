import { DatabaseSync } from 'node:sqlite'
import { splitEvent } from '../../src/journal/format/run.ts'
import type { Entry } from '../../src/protocol/entry.ts'

/** How a table with one row per event may lie on disk. */
export type RowShape = 'appended' | 'clustered'

/** A table with one row per event: the obvious design. */
export interface RowStore extends Disposable {
  /** Saves entries in one commit. */
  save(entries: readonly Entry[]): void
  read(
    session: string,
    after: number,
    limit: number,
  ): readonly { readonly event: string; readonly raw: string }[]
}

const tables: Readonly<Record<RowShape, string>> = {
  appended: `create table event (session integer, seq integer, id blob, at integer, event text, raw text) strict;
    create unique index place on event (session, seq)`,
  clustered: `create table event (session integer, seq integer, id blob, at integer, event text, raw text,
    primary key (session, seq)) strict, without rowid`,
}

/**
 * Opens one, tuned well enough for a fair comparison. Sessions are small numbers, ids take 16 bytes and have no index, and
 * raw messages have a separate column and need no escaping. It uses WAL, synchronous FULL, and as few checkpoints as ours.
 */
export function openRowStore(path: string, shape: RowShape): RowStore {
  const db = new DatabaseSync(path)
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 4000')
  db.exec('pragma cache_size = -32000')
  db.exec(tables[shape])
  const insert = db.prepare('insert into event values (?, ?, ?, ?, ?, ?)')
  const select = db.prepare('select event, raw from event where session = ? and seq > ? order by seq limit ?')
  const sessions = new Map<string, number>()

  const numberOf = (session: string) => {
    const no = sessions.get(session) ?? sessions.size + 1
    sessions.set(session, no)
    return no
  }

  return {
    save(entries) {
      db.exec('begin immediate')
      for (const { session, seq, id, at, event } of entries) {
        const { json, raw } = splitEvent(event)
        insert.run(numberOf(session), seq, Buffer.from(id.replaceAll('-', ''), 'hex'), at, json, raw)
      }
      db.exec('commit')
    },
    read: (session, after, limit) =>
      select.all(numberOf(session), after, limit) as { readonly event: string; readonly raw: string }[],
    [Symbol.dispose]() {
      db.exec('pragma wal_checkpoint(truncate)')
      db.close()
    },
  }
}
