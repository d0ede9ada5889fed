import type { Entry } from 'dragoman'
import type { Readable } from 'dragoman/client'
import type { Belonging } from './belonging.ts'
import { lineOf, type Line } from './line.ts'

/** The loaded lines: one range of the session without gaps. */
export interface Reading {
  readonly phase: 'finding' | 'reading' | 'there' | 'failed'
  /** Why there is nothing, or no more, in a sentence. */
  readonly problem: string | null
  readonly lines: readonly Line[]
  /** The entries that belong to the target. */
  readonly mine: ReadonlySet<number>
  /** Whether all entries of the target were read. */
  readonly isOver: boolean
  /** The last entry of the session at the last request. */
  readonly head: number
  /** At which end lines were added last. */
  readonly grew: 'start' | 'end'
}

/** How entries are read, and the target to find. */
export interface LineSource {
  readonly find: () => Promise<number | null>
  readonly read: (
    after: number,
    limit: number,
  ) => Promise<{ readonly entries: readonly Entry[]; readonly head: number }>
  readonly belonging: Belonging
  /** How many pages are searched before the user is asked whether to continue. */
  readonly pagesAtOnce: number
  /** Lines per page, and the most lines that are kept. */
  readonly page?: number
  readonly most?: number
}

/** Reads a session's lines, a stretch at a time. */
export interface LineReader extends Readable<Reading> {
  open(): Promise<void>
  earlier(): Promise<void>
  later(): Promise<void>
  /** Makes sure that an entry is among the lines. */
  jump(seq: number): Promise<void>
}

const nothing: Reading = {
  phase: 'finding',
  problem: null,
  lines: [],
  mine: new Set(),
  isOver: false,
  head: 0,
  grew: 'end',
}

interface Known {
  readonly source: LineSource
  readonly page: number
  readonly most: number
  readonly listeners: Set<(reading: Reading) => void>
  reading: Reading
  /** The last entry that was checked; entries are checked in order, without gaps. */
  judged: number | null
  isBusy: boolean
  /** The current operation. */
  work: Promise<void>
}

/** Creates a reader; nothing is read until it is opened. */
export function createLineReader(source: LineSource): LineReader {
  const { page = 200, most = 5000 } = source
  const known: Known = {
    source,
    page,
    most,
    listeners: new Set(),
    reading: nothing,
    judged: null,
    isBusy: false,
    work: Promise.resolve(),
  }
  return {
    get: () => known.reading,
    subscribe(listener) {
      known.listeners.add(listener)
      listener(known.reading)
      return () => known.listeners.delete(listener)
    },
    open: () => (known.work = carefully(known, start)),
    earlier: () => (known.work = carefully(known, prepend)),
    later: () => (known.work = carefully(known, append)),
    async jump(seq) {
      await known.work
      await carefully(known, () => moveTo(known, seq))
    },
  }
}

function set(known: Known, change: Partial<Reading>): void {
  known.reading = { ...known.reading, ...change }
  for (const listener of known.listeners) listener(known.reading)
}

/** One operation at a time; errors are reported, and lines already read stay. */
async function carefully(known: Known, work: (known: Known) => Promise<unknown>): Promise<void> {
  if (known.isBusy) return
  known.isBusy = true
  try {
    await work(known)
    if (known.reading.phase !== 'failed') set(known, { phase: 'there', problem: null })
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    set(known, { phase: known.reading.lines.length === 0 ? 'failed' : 'there', problem })
  } finally {
    known.isBusy = false
  }
}

async function start(known: Known): Promise<void> {
  const seq = await known.source.find()
  if (seq === null) return set(known, { phase: 'failed', problem: notKnown })
  known.judged = Math.max(0, seq - 1)
  set(known, { phase: 'reading' })
  for (let pages = 0; pages < known.source.pagesAtOnce; pages++) {
    const isMore = await append(known)
    if (!isMore || known.reading.isOver) return
  }
}

async function read(known: Known, after: number, limit: number) {
  const { belonging } = known.source
  const { entries, head } = await known.source.read(after, limit)
  const lines = entries.map(lineOf)
  const mine = new Set(known.reading.mine)
  for (const line of lines) {
    if (line.seq - 1 !== known.judged || belonging.isOver()) continue
    known.judged = line.seq
    if (belonging.take(line)) mine.add(line.seq)
  }
  return { lines, head, mine, isOver: belonging.isOver() }
}

async function append(known: Known): Promise<boolean> {
  const after = known.reading.lines.at(-1)?.seq ?? known.judged ?? 0
  const { lines, ...rest } = await read(known, after, known.page)
  set(known, { ...rest, lines: bounded([...known.reading.lines, ...lines], known.most, 'end'), grew: 'end' })
  return lines.length > 0
}

async function prepend(known: Known): Promise<void> {
  const first = known.reading.lines[0]?.seq ?? 1
  const found: Line[] = []
  // A page ends early where lines are long.
  for (let after = Math.max(0, first - 1 - known.page); after < first - 1;) {
    const { lines } = await read(known, after, first - 1 - after)
    if (lines.length === 0) return
    found.push(...lines)
    after = lines.at(-1)?.seq ?? first
  }
  set(known, { lines: bounded([...found, ...known.reading.lines], known.most, 'start'), grew: 'start' })
}

/** The most characters of native lines that are kept. */
const mostCharacters = 64 << 20

/** As many lines as may be kept, from one end. */
function bounded(lines: readonly Line[], most: number, end: 'start' | 'end'): readonly Line[] {
  let [count, characters] = [0, 0]
  for (const { raw } of end === 'end' ? lines.toReversed() : lines) {
    characters += raw?.length ?? 0
    if (count > 0 && (count === most || characters > mostCharacters)) break
    count += 1
  }
  return end === 'end' ? lines.slice(lines.length - count) : lines.slice(0, count)
}

/** How many entries are shown before the requested one. */
const before = 20

async function moveTo(known: Known, seq: number): Promise<void> {
  if (known.reading.lines.some(line => line.seq === seq)) return
  const has = ({ lines }: { readonly lines: readonly Line[] }) => lines.some(line => line.seq === seq)
  const wide = await read(known, Math.max(0, seq - 1 - before), known.page)
  // A page ends early where lines are long.
  const { lines, ...rest } = has(wide) ? wide : await read(known, seq - 1, known.page)
  if (!has({ lines })) throw new Error(`Entry ${seq} doesn’t exist. The last entry is ${rest.head}.`)
  set(known, { ...rest, lines, grew: 'end' })
}

/** The message for a target that the session does not have. */
export const notKnown = 'This session has no matching entry. It may be in another session.'
