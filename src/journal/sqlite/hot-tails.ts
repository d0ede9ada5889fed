import { firstLink, nextLink } from './checksum.ts'
import type { Run, Stored } from './stored.ts'

/** The entries of one session that only the hot journal holds yet. */
export interface Tail {
  readonly no: number
  readonly session: string
  entries: Stored[]
  bytes: number
  /** The hash chain's link after the last entry. */
  link: Buffer
  /** No entry of this tail lies in a frame before this one. */
  firstLsn: number
  /** When the oldest entry came. */
  since: number
  /** The last packed segment, to which a small tail is added. */
  last: { readonly first: number; readonly last: number } | null
}

/** Where a session stood when its tail began. */
export interface TailStart {
  readonly session: string
  readonly link: Buffer
  readonly last: Tail['last']
}

const fullEntries = 256
const fullBytes = 1024 * 1024
const oldAfter = 15_000
const hotLimit = 64 * 1024 * 1024

/** The writer's memory of what is not packed yet, and what of it is due. */
export interface HotTails {
  /** Takes in a committed run. */
  add(run: Run, lsn: number, now: number): void
  rest(no: number): void
  /** Marks what has lain for long, or everything if too much lies about. */
  age(now: number): void
  /** A tail that is due to be packed, taken off the list. */
  nextDue(): Tail | undefined
  /** The entries up to the n-th of the tail are packed, all that came until `lsn`. */
  settled(tail: Tail, count: number, last: Tail['last'], lsn: number): void
  /** The first frame that is still needed, given tails that are about to be settled; `next` when none is. */
  oldestLsn(
    next: number,
    settling: ReadonlyMap<Tail, { readonly count: number; readonly lsn: number }>,
  ): number
  /** The tails changed since the last call. */
  takeChanged(): readonly Tail[]
}

/** An empty memory; `open` looks up where a session stands. */
export function createHotTails(open: (no: number) => TailStart): HotTails {
  const tails = new Map<number, Tail>()
  const due = new Set<Tail>()
  let changed = new Set<Tail>()
  let hotBytes = 0

  const tailOf = (no: number): Tail => {
    const known = tails.get(no)
    if (known !== undefined) return known
    const tail: Tail = { no, ...open(no), entries: [], bytes: 0, firstLsn: 0, since: 0 }
    tails.set(no, tail)
    return tail
  }

  return {
    add({ session, entries }, lsn, now) {
      const tail = tailOf(session)
      if (tail.entries.length === 0) Object.assign(tail, { firstLsn: lsn, since: now })
      for (const entry of entries) {
        tail.link = nextLink(tail.link, entry.at, entry.eventLength, entry.bytes)
        tail.entries.push(entry)
        tail.bytes += entry.bytes.length
        hotBytes += entry.bytes.length
      }
      changed.add(tail)
      if (tail.entries.length >= fullEntries || tail.bytes >= fullBytes) due.add(tail)
    },
    rest(no) {
      const tail = tails.get(no)
      if (tail !== undefined && tail.entries.length > 0) due.add(tail)
    },
    age(now) {
      for (const tail of tails.values()) {
        if (tail.entries.length === 0) {
          if (now - tail.since > oldAfter && !changed.has(tail)) tails.delete(tail.no)
        } else if (hotBytes > hotLimit || now - tail.since > oldAfter) due.add(tail)
      }
    },
    nextDue() {
      for (const tail of due) {
        due.delete(tail)
        return tail
      }
      return undefined
    },
    settled(tail, count, last, lsn) {
      const packed = tail.entries.slice(0, count).reduce((sum, entry) => sum + entry.bytes.length, 0)
      tail.entries = tail.entries.slice(count)
      tail.bytes -= packed
      hotBytes -= packed
      tail.last = last
      tail.firstLsn = lsn + 1
    },
    oldestLsn(next, settling) {
      let oldest = next
      for (const tail of tails.values()) {
        const packed = settling.get(tail)
        const left = tail.entries.length - (packed?.count ?? 0)
        const first = packed === undefined ? tail.firstLsn : packed.lsn + 1
        if (left > 0 && first < oldest) oldest = first
      }
      return oldest
    },
    takeChanged() {
      const taken = [...changed]
      changed = new Set()
      return taken
    },
  }
}

/** Where a session stands that has nothing packed. */
export const freshStart = (session: string): TailStart => ({ session, link: firstLink, last: null })
