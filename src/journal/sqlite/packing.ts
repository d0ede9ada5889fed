import type { DatabaseSync } from 'node:sqlite'
import { asBuffer } from './bytes.ts'
import type { Tail } from './hot-tails.ts'
import { lastOf } from './run.ts'
import { encodeSegment, runsOf, unpack, type Segment } from './segment.ts'

/** A segment made from a tail and not yet saved. */
export interface Packed {
  readonly tail: Tail
  /** How many runs of the tail it holds. */
  readonly runs: number
  readonly lsn: number
  readonly first: number
  readonly last: number
  readonly link: Buffer
  readonly segment: Segment
  /** Whether it takes the place of the session's last segment, which it contains. */
  readonly replaces: boolean
}

const smallSegment = 128
const largeSegment = 384

/** Makes segments of tails and saves them. */
export interface Packing {
  pack(tail: Tail, lsn: number): Packed | undefined
  /** Saves a segment within the caller's transaction. */
  save(packed: Packed): void
}

/** Packs into the given database. */
export function createPacking(db: DatabaseSync): Packing {
  const select = db.prepare('select first, events, raws from segment where session = ? and first = ?')
  const remove = db.prepare('delete from segment where session = ? and first = ?')
  const insert = db.prepare(
    'insert into segment (session, first, last, link, events, raws) values (?, ?, ?, ?, ?, ?)',
  )

  const lastRuns = (tail: Tail) => {
    const row = tail.last === null ? undefined : select.get(tail.no, tail.last.first)
    if (row === undefined) return []
    const { first, events, raws } = row as { first: number; events: Uint8Array; raws: Uint8Array }
    return runsOf(tail.no, unpack(first, { events: asBuffer(events), raws: asBuffer(raws) }))
  }

  return {
    pack(tail, lsn) {
      const { last, runs, entries, link } = tail
      const lastRun = runs.at(-1)
      if (lastRun === undefined) return undefined
      const lastCount = last === null ? largeSegment : last.last - last.first + 1
      // Short interactions would leave many small segments, which pack badly and read slowly.
      const replaces = lastCount < smallSegment && lastCount + entries <= largeSegment
      const all = replaces ? [...lastRuns(tail), ...runs] : runs
      const first = (all[0] ?? lastRun).first
      return {
        tail,
        runs: runs.length,
        lsn,
        first,
        last: lastOf(lastRun),
        link,
        segment: encodeSegment(all),
        replaces,
      }
    },
    save({ tail, first, last, link, segment, replaces }) {
      if (replaces) remove.run(tail.no, first)
      insert.run(tail.no, first, last, link, segment.events, segment.raws)
    },
  }
}
