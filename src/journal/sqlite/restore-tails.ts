import type { DatabaseSync } from 'node:sqlite'
import type { SessionId } from '../../protocol/ids.ts'
import type { Addresses } from './address.ts'
import { readHotFrames } from './hot-frames.ts'
import type { Line } from './line.ts'
import { missing, newLine } from './lines.ts'
import { toEntry, type Stored } from './stored.ts'

/** The lines of all sessions with entries in the hot journal, as they were before the process ended. */
export function restoreTails(
  db: DatabaseSync,
  addresses: Addresses,
  witnessed: (no: number) => number,
  now: number,
): readonly Line[] {
  const session = db.prepare('select id from session where no = ?')
  const packed = db.prepare('select coalesce(max(last), 0) as last from segment where session = ?')

  return [...unpackedEntries(db)].flatMap(([no, stored]) => {
    const id = session.get(no)?.['id']
    if (id === undefined) return []
    const line = newLine(addresses, no, id as SessionId, now)
    line.head = line.packed = Number(packed.get(no)?.['last'])
    for (const entry of stored) {
      // After a hole nothing counts: numbers without gaps are the promise.
      if (entry.seq !== line.head + 1) continue
      line.tail.push(toEntry(line, entry))
      line.head = entry.seq
    }
    return [{ ...line, damage: missing(line.head, Math.max(witnessed(no), stored.at(-1)?.seq ?? 0)) }]
  })
}

/** What the hot journal holds, by session. A table that cannot be read further is left to the witness to miss. */
function unpackedEntries(db: DatabaseSync): Map<number, Stored[]> {
  const entries = new Map<number, Stored[]>()
  for (const frame of readHotFrames(db)) {
    if (!('runs' in frame)) continue
    for (const run of frame.runs) {
      const own = entries.get(run.session) ?? []
      entries.set(run.session, own)
      own.push(...run.entries)
    }
  }
  return entries
}
