import { firstLink, nextLink } from '../format/checksum.ts'
import { countOf, lastOf, type Run } from '../format/run.ts'

/** A run, the frame it lies in, and the hash chain's link after it. */
export interface HotRun {
  readonly run: Run
  readonly lsn: number
  readonly link: Buffer
}

/** The entries of one session that only the hot journal holds yet. */
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

/** Where a session stood when its tail began. */
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

/** The writer's memory of what is not packed yet, and what of it is due. */
export interface HotTails {
  /** Takes in a committed run. */
  add(run: Run, lsn: number, now: number): void
  rest(no: number): void
  /** Marks what has lain for long, or everything if too much lies about. */
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

/** An empty memory; `open` looks up where a session stands. */
export function createHotTails(open: (no: number) => TailStart): HotTails {
  const tails = new Map<number, Tail>()
  const due = new Set<Tail>()
  let changed = new Set<Tail>()
  let hotBytes = 0

  const tailOf = (no: number): Tail => {
    const known = tails.get(no)
    if (known !== undefined) return known
    const tail: Tail = { no, ...open(no), runs: [], entries: 0, bytes: 0, since: 0 }
    tails.set(no, tail)
    return tail
  }

  return {
    add(run, lsn, now) {
      const tail = tailOf(run.session)
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

const isFull = ({ entries, bytes }: Tail) => entries >= fullEntries || bytes >= fullBytes

/** The seq of the last entry of a session. */
export const headOf = ({ runs, last }: Tail): number => {
  const run = runs.at(-1)
  return run === undefined ? (last?.last ?? 0) : lastOf(run.run)
}

/** Where a session stands that has nothing packed. */
export const freshStart = (session: string): TailStart => ({ session, link: firstLink, last: null })
