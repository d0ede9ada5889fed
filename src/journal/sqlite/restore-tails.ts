import type { DatabaseSync } from 'node:sqlite'
import type { SessionId } from '../../protocol/ids.ts'
import type { Addresses } from './address.ts'
import { readHotFrames } from './hot-frames.ts'
import type { Line } from './line.ts'
import { missing, newLine } from './lines.ts'
import { lastOf, storedOf, toEntry, type Run } from './run.ts'

/** The lines of all sessions with entries in the hot journal, as they were before the process ended. */
export function restoreTails(
  db: DatabaseSync,
  addresses: Addresses,
  witnessed: (no: number) => number,
  now: number,
): readonly Line[] {
  const session = db.prepare('select id from session where no = ?')
  const packed = db.prepare('select coalesce(max(last), 0) as last from segment where session = ?')

  return [...unpackedRuns(db)].flatMap(([no, runs]) => {
    const id = session.get(no)?.['id']
    if (id === undefined) return []
    const line = newLine(addresses, no, id as SessionId, now)
    line.head = line.packed = Number(packed.get(no)?.['last'])
    for (const run of runs) take(line, run)
    line.next = line.head + 1
    const last = runs.at(-1)
    return [
      { ...line, damage: missing(line.head, Math.max(witnessed(no), last === undefined ? 0 : lastOf(last))) },
    ]
  })
}

/** After a hole nothing counts: numbers without gaps are the promise. */
function take(line: Line, run: Run) {
  for (const stored of storedOf(run)) {
    if (stored.seq !== line.head + 1) continue
    line.tail.push(toEntry(line, stored, run.version))
    line.texts.push(stored.bytes.toString('utf8', 0, stored.eventLength))
    line.head = stored.seq
  }
}

/** What the hot journal holds, by session. */
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
