import type { DatabaseSync } from 'node:sqlite'
import type { SessionId } from '../../protocol/ids.ts'
import type { Addresses } from '../format/address.ts'
import { readHotFrames } from './hot-frames.ts'
import { missing, newTail, type SessionTail } from './session-tails.ts'
import { lastOf, storedOf, toEntry, type Run } from '../format/run.ts'

/** The tails of all sessions with entries in the hot journal, as they were before the process ended. */
export function restoreTails(
  db: DatabaseSync,
  addresses: Addresses,
  witnessed: (no: number) => number,
  now: number,
): readonly SessionTail[] {
  const session = db.prepare('select id from session where no = ?')
  const packed = db.prepare('select coalesce(max(last), 0) as last from segment where session = ?')

  return [...unpackedRuns(db)].flatMap(([no, runs]) => {
    const id = session.get(no)?.['id']
    if (id === undefined) return []
    const tail = newTail(addresses, no, id as SessionId, now)
    tail.head = tail.packed = Number(packed.get(no)?.['last'])
    for (const run of runs) take(tail, run)
    tail.next = tail.head + 1
    const last = runs.at(-1)
    return [
      { ...tail, damage: missing(tail.head, Math.max(witnessed(no), last === undefined ? 0 : lastOf(last))) },
    ]
  })
}

/** Entries after a gap are dropped, because numbers must have no gaps. */
function take(tail: SessionTail, run: Run) {
  for (const stored of storedOf(run)) {
    if (stored.seq !== tail.head + 1) continue
    tail.entries.push(toEntry(tail, stored, run.version))
    tail.texts.push(stored.bytes.toString('utf8', 0, stored.eventLength))
    tail.head = stored.seq
  }
}

/** The runs in the hot journal, by session. */
function unpackedRuns(db: DatabaseSync): Map<number, Run[]> {
  const runs = new Map<number, Run[]>()
  for (const frame of readHotFrames(db)) {
    if (!('runs' in frame)) continue
    for (const run of frame.runs) {
      const own = runs.get(run.session) ?? []
      runs.set(run.session, own)
      own.push(run)
    }
  }
  return runs
}
