import { firstLink, nextLink } from '../format/checksum.ts'
import { countOf, lastOf, type Run } from '../format/run.ts'

/** A run, the frame that contains it, and the hash chain's link after it. */
export interface HotRun {
  readonly run: Run
  readonly lsn: number
  readonly link: Buffer
}

/** The entries of one session that are only in the hot journal. */
export interface Tail {
  readonly no: number
  readonly session: string
  runs: HotRun[]
  entries: number
  bytes: number
  /** The hash chain's link after the last entry. */
  link: Buffer
  /** When the oldest entry came. */
  since: number
  /** The last packed segment, to which a small tail is added. */
  last: { readonly first: number; readonly last: number } | null
}

/** The end of a session before its tail. */
export interface TailStart {
  readonly session: string
  readonly link: Buffer
  readonly last: Tail['last']
}

/** How many entries make a segment. */
export const fullEntries = 256
const fullBytes = 1024 * 1024
const oldAfter = 15_000
const hotLimit = 64 * 1024 * 1024

/** The entries that are not packed yet, in the writer's memory, and which tails are due. */
export interface HotTails {
  /** Takes in a committed run. */
  add(run: Run, lsn: number, now: number): void
  /** The tail that a run belongs to. */
  tailOf(run: Run): Tail
  /** All runs of a tail are packed, and so are runs after it that never were in it; `link` is the link after these. */
  allPacked(tail: Tail, link: Buffer, last: Tail['last'], now: number): void
  rest(no: number): void
  /** Marks old tails as due, or all tails if they take too much memory. */
  age(now: number): void
  /** A tail that is due to be packed, taken off the list. */
  nextDue(): Tail | undefined
  /** The first runs of the tail are packed. */
  settled(tail: Tail, runs: number, last: Tail['last']): void
  /** The first frame that is still needed, given tails that are about to be settled; `next` when none is. */
  oldestLsn(next: number, settling?: ReadonlyMap<Tail, { readonly runs: number }>): number
  /** The tails changed since the last call. */
  takeChanged(): readonly Tail[]
}

/** An empty memory; `open` looks up the end of a session, whose last entry is `seq`. */
export function createHotTails(open: (no: number, seq: number) => TailStart): HotTails {
  const tails = new Map<number, Tail>()
  const due = new Set<Tail>()
  let changed = new Set<Tail>()
  let hotBytes = 0

  const tailOf = ({ session: no, first }: Run): Tail => {
    const known = tails.get(no)
    if (known !== undefined) return known
    const tail: Tail = { no, ...open(no, first - 1), runs: [], entries: 0, bytes: 0, since: 0 }
    tails.set(no, tail)
    return tail
  }

  return {
    tailOf,
    allPacked(tail, link, last, now) {
      hotBytes -= tail.bytes
      due.delete(tail)
      changed.add(tail)
      Object.assign(tail, { runs: [], entries: 0, bytes: 0, link, last, since: now })
    },
    add(run, lsn, now) {
      const tail = tailOf(run)
      if (tail.entries === 0) tail.since = now
      tail.link = nextLink(tail.link, run)
      tail.runs.push({ run, lsn, link: tail.link })
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
    settled(tail, runs, last) {
      for (const { run } of tail.runs.splice(0, runs)) {
        tail.entries -= countOf(run)
        tail.bytes -= run.bytes.length
        hotBytes -= run.bytes.length
      }
      tail.last = last
      if (isFull(tail)) due.add(tail)
    },
    oldestLsn(next, settling) {
      let oldest = next
      for (const tail of tails.values()) {
        const first = tail.runs[settling?.get(tail)?.runs ?? 0]
        if (first !== undefined && first.lsn < oldest) oldest = first.lsn
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

/** Whether entries make a segment. */
export const isFull = ({ entries, bytes }: Pick<Tail, 'entries' | 'bytes'>): boolean =>
  entries >= fullEntries || bytes >= fullBytes

/** The seq of the last entry of a session. */
export const headOf = ({ runs, last }: Tail): number => {
  const run = runs.at(-1)
  return run === undefined ? (last?.last ?? 0) : lastOf(run.run)
}

/** The end of a session without packed entries. */
export const freshStart = (session: string): TailStart => ({ session, link: firstLink, last: null })
