import { firstLink, nextLink } from './checksum.ts'
import { countOf, lastOf, type Run } from './run.ts'

/** The entries of one session that only the hot journal holds yet. */
export interface Tail {
  readonly no: number
  readonly session: string
  runs: Run[]
  entries: number
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
  /** The first runs of the tail are packed, all that came until `lsn`. */
  settled(tail: Tail, runs: number, last: Tail['last'], lsn: number): void
  /** The first frame that is still needed, given tails that are about to be settled; `next` when none is. */
  oldestLsn(
    next: number,
    settling?: ReadonlyMap<Tail, { readonly runs: number; readonly lsn: number }>,
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
    const tail: Tail = { no, ...open(no), runs: [], entries: 0, bytes: 0, firstLsn: 0, since: 0 }
    tails.set(no, tail)
    return tail
  }

  return {
    add(run, lsn, now) {
      const tail = tailOf(run.session)
      if (tail.entries === 0) Object.assign(tail, { firstLsn: lsn, since: now })
      tail.link = nextLink(tail.link, run)
      tail.runs.push(run)
      tail.entries += countOf(run)
      tail.bytes += run.bytes.length
      hotBytes += run.bytes.length
      changed.add(tail)
      if (isFull(tail)) due.add(tail)
    },
    rest(no) {
      const tail = tails.get(no)
      if (tail !== undefined && tail.entries > 0) due.add(tail)
    },
    age(now) {
      for (const tail of tails.values()) {
        if (tail.entries === 0) {
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
    settled(tail, runs, last, lsn) {
      for (const run of tail.runs.splice(0, runs)) {
        tail.entries -= countOf(run)
        tail.bytes -= run.bytes.length
        hotBytes -= run.bytes.length
      }
      tail.last = last
      tail.firstLsn = lsn + 1
      if (isFull(tail)) due.add(tail)
    },
    oldestLsn(next, settling) {
      let oldest = next
      for (const tail of tails.values()) {
        const packed = settling?.get(tail)
        const left = tail.runs.length - (packed?.runs ?? 0)
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

const isFull = ({ entries, bytes }: Tail) => entries >= fullEntries || bytes >= fullBytes

/** The seq of the last entry of a session. */
export const headOf = ({ runs, last }: Tail): number => {
  const run = runs.at(-1)
  return run === undefined ? (last?.last ?? 0) : lastOf(run)
}

/** Where a session stands that has nothing packed. */
export const freshStart = (session: string): TailStart => ({ session, link: firstLink, last: null })
