import type { DatabaseSync } from 'node:sqlite'
import { asBuffer } from '../format/bytes.ts'
import { fullEntries, type HotRun, type Tail } from './hot-tails.ts'
import { countOf, lastOf } from '../format/run.ts'
import { encodeSegment, runsOf, unpack, type Segment } from '../format/segment.ts'

/** A segment made from a tail and not yet saved. */
export interface Packed {
  readonly tail: Tail
  /** How many runs of the tail it contains. */
  readonly runs: number
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
  /** Packs the first runs of a tail: as many as make a segment, or all of them. */
  pack(tail: Tail): Packed | undefined
  /** Packs all runs of a tail and those that follow it. */
  packAll(tail: Tail, following: readonly HotRun[]): readonly Packed[]
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

  const runsAt = (no: number, place: number) => {
    const row = select.get(no, place)
    if (row === undefined) return []
    const { first, events, raws } = row as { first: number; events: Uint8Array; raws: Uint8Array }
    return runsOf(no, unpack(first, { events: asBuffer(events), raws: asBuffer(raws) }))
  }
  const packRuns = (tail: Tail, hot: readonly HotRun[], last: Tail['last']): Packed | undefined => {
    const taken = takeFull(hot)
    const lastRun = taken.at(-1)
    if (lastRun === undefined) return undefined
    const lastCount = last === null ? largeSegment : last.last - last.first + 1
    // Short interactions would leave many small segments, which pack badly and read slowly.
    const replaces = last !== null && lastCount < smallSegment && lastCount + entriesIn(taken) <= largeSegment
    const runs = taken.map(({ run }) => run)
    const all = replaces ? [...runsAt(tail.no, last.first), ...runs] : runs
    return {
      tail,
      runs: taken.length,
      first: (all[0] ?? lastRun.run).first,
      last: lastOf(lastRun.run),
      link: lastRun.link,
      segment: encodeSegment(all),
      replaces,
    }
  }

  return {
    pack: tail => packRuns(tail, tail.runs, tail.last),
    packAll(tail, following) {
      const packed: Packed[] = []
      let left = [...tail.runs, ...following]
      let { last } = tail
      while (left.length > 0) {
        const one = packRuns(tail, left, last)
        if (one === undefined) break
        packed.push(one)
        // The next one does not replace it, because it is not saved yet.
        last = null
        left = left.slice(one.runs)
      }
      return packed
    },
    save({ tail, first, last, link, segment, replaces }) {
      if (replaces) remove.run(tail.no, first)
      insert.run(tail.no, first, last, link, segment.events, segment.raws)
    },
  }
}

/** The first runs that make a segment. */
function takeFull(runs: readonly HotRun[]): readonly HotRun[] {
  let count = 0
  const last = runs.findIndex(({ run }) => (count += countOf(run)) >= fullEntries)
  return last < 0 ? runs.slice() : runs.slice(0, last + 1)
}

const entriesIn = (runs: readonly HotRun[]) => runs.reduce((sum, { run }) => sum + countOf(run), 0)
