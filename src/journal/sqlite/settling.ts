import type { DatabaseSync } from 'node:sqlite'
import { nextLink } from '../format/checksum.ts'
import { countOf, type Run } from '../format/run.ts'
import { isFull, type HotRun, type HotTails, type Tail } from './hot-tails.ts'
import { createPacking, type Packed } from './packing.ts'

/** Moves tails out of the hot journal into segments, beside the commits. */
export interface Settling {
  /** Packs one tail that is due; false when none is. */
  packOne(): boolean
  /**
   * Packs runs of sessions that get enough of them at once to fill a segment, so that these need no frame. Not for new
   * sessions, whose rows are not saved yet.
   */
  packAtOnce(runs: readonly Run[], newSessions: readonly number[]): AtOnce
  /** Whether there are segments to be saved. */
  isWaiting(): boolean
  /** Saves the segments within the caller's transaction, and deletes the frames that are packed with them. */
  save(lsn: number): void
  /** After the commit: what is settled now, and about how many pages it took. */
  settled(): Settled
  /** Deletes every frame that is not needed any more. */
  deleteFrames(lsn: number): void
}

/** Segments that are saved together with their entries. */
export interface AtOnce {
  /** The runs that were not packed. */
  readonly others: readonly Run[]
  /** Saves the segments within the caller's transaction. */
  save(): void
  /** After the commit: moves the tails, and returns what is settled. */
  settled(now: number): Settled
}

/** The result of a commit: which sessions are packed up to which entry. */
export interface Settled {
  readonly sessions: readonly (readonly [no: number, seq: number])[]
  readonly pages: number
}

const nothing: Settled = { sessions: [], pages: 0 }

/** Settles the tails of one database. `trouble` is called for segments that could not be saved and will be retried. */
export function createSettling(
  db: DatabaseSync,
  tails: HotTails,
  trouble: (error: unknown) => void,
): Settling {
  const packing = createPacking(db)
  const deleteBelow = db.prepare('delete from frame where lsn < ?')
  let packed: Packed[] = []

  const saveAll = (lsn: number) => {
    for (const one of packed) packing.save(one)
    const below = tails.oldestLsn(lsn + 1, new Map(packed.map(one => [one.tail, one])))
    if (below > lsn || packed.length >= 4) deleteBelow.run(below)
  }
  /** Gives nothing where the tail waits to be saved, or cannot be packed. */
  const packWithTail = (runs: readonly Run[]): readonly Packed[] => {
    const [first] = runs
    try {
      const tail = first && tails.tailOf(first)
      if (tail === undefined || packed.some(one => one.tail === tail)) return []
      return packing.packAll(tail, linked(tail.link, runs))
    } catch (error) {
      trouble(error)
      return []
    }
  }
  const pack = (tail: Tail) => {
    // Already packed and not yet saved. Newer entries are packed after that.
    if (packed.some(one => one.tail === tail)) return
    const one = packing.pack(tail)
    if (one !== undefined) packed.push(one)
  }

  return {
    packAtOnce(runs, newSessions) {
      const ready = [...Map.groupBy(runs, run => run.session)].flatMap(([no, own]) =>
        isFull(sizeOf(own)) && !newSessions.includes(no) ? packWithTail(own) : [],
      )
      const direct = new Set(ready.map(({ tail }) => tail.no))
      return {
        others: direct.size === 0 ? runs : runs.filter(({ session }) => !direct.has(session)),
        save() {
          for (const one of ready) packing.save(one)
        },
        settled(now) {
          for (const { tail, link, first, last } of ready) tails.allPacked(tail, link, { first, last }, now)
          return settledBy(ready)
        },
      }
    },
    packOne() {
      const tail = tails.nextDue()
      if (tail !== undefined) pack(tail)
      return tail !== undefined
    },
    isWaiting: () => packed.length > 0,
    save(lsn) {
      if (packed.length === 0) return
      db.exec('savepoint segments')
      try {
        saveAll(lsn)
        db.exec('release segments')
      } catch (error) {
        packed = []
        // A full disk may end the transaction and, with it, the commit that these segments rode along with.
        if (!db.isTransaction) throw error
        db.exec('rollback to segments; release segments')
        trouble(error)
      }
    },
    settled() {
      if (packed.length === 0) return nothing
      const settled = settledBy(packed)
      for (const { tail, runs, first, last } of packed) tails.settled(tail, runs, { first, last })
      packed = []
      return settled
    },
    deleteFrames: lsn => void deleteBelow.run(tails.oldestLsn(lsn + 1)),
  }
}

function settledBy(packed: readonly Packed[]): Settled {
  const sessions = packed.map(({ tail, last }) => [tail.no, last] as const)
  const bytes = packed.reduce((sum, { segment }) => sum + segment.events.length + segment.raws.length, 0)
  return { sessions, pages: Math.ceil(bytes / 4096) + packed.length * 4 }
}

const sizeOf = (runs: readonly Run[]) => ({
  entries: runs.reduce((sum, run) => sum + countOf(run), 0),
  bytes: runs.reduce((sum, run) => sum + run.bytes.length, 0),
})

/** Runs that are in no frame, with the links after them. */
function linked(before: Buffer, runs: readonly Run[]): readonly HotRun[] {
  let link = before
  return runs.map(run => {
    link = nextLink(link, run)
    return { run, lsn: Number.POSITIVE_INFINITY, link }
  })
}
