import type { DatabaseSync } from 'node:sqlite'
import type { HotTails, Tail } from './hot-tails.ts'
import { createPacking, type Packed } from './packing.ts'

/** Moves tails out of the hot journal into segments, beside the commits. */
export interface Settling {
  /** Packs one tail that is due; false when none is. */
  packOne(): boolean
  /** Whether there are segments to be saved. */
  isWaiting(): boolean
  /** Saves the segments within the caller's transaction, and deletes the frames that are packed with them. */
  save(lsn: number): void
  /** After the commit: what is settled now, and about how many pages it took. */
  settled(): Settled
  /** Deletes every frame that is not needed any more. */
  deleteFrames(lsn: number): void
}

/** What a commit settled. */
export interface Settled {
  readonly sessions: readonly (readonly [no: number, seq: number])[]
  readonly pages: number
}

const nothing: Settled = { sessions: [], pages: 0 }

/** Settles the tails of one database; `trouble` hears of segments that could not be saved and are made again later. */
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
  const pack = (tail: Tail) => {
    // Already packed and not yet saved: what came since then is looked at after that.
    if (packed.some(one => one.tail === tail)) return
    const one = packing.pack(tail)
    if (one !== undefined) packed.push(one)
  }

  return {
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
      const sessions = packed.map(({ tail, last }) => [tail.no, last] as const)
      const bytes = packed.reduce((sum, { segment }) => sum + segment.events.length + segment.raws.length, 0)
      const pages = Math.ceil(bytes / 4096) + packed.length * 4
      for (const { tail, runs, first, last } of packed) tails.settled(tail, runs, { first, last })
      packed = []
      return { sessions, pages }
    },
    deleteFrames: lsn => void deleteBelow.run(tails.oldestLsn(lsn + 1)),
  }
}
