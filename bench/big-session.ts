import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '../src/protocol/event.ts'
import type { Bench, Measured } from './harness/bench.ts'
import { interleave, ratioOf, type Slice } from './harness/interleave.ts'
import { milliseconds } from './harness/numbers.ts'
import { workLeft } from './harness/quiet.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'
import { median } from './harness/statistics.ts'
import { createNativeLines } from './load/native-lines.ts'
import { createRandom } from './load/random.ts'
import { createSpeech } from './load/spoken.ts'
import { openOurStore, type OurStore } from './stores/our-journal.ts'

const sizes = [10_000, 100_000, 1_000_000] as const
const page = 100
const atOnce = 256
/** About twice as long as packing so many takes. */
const packing = 4
const rounds = { open: 15, page: 20, append: 20 }
const repeats = { page: 40, append: 40 }

const { session, hear } = createSpeech(0)

/** Whether a session may grow without becoming slow. */
export const bigSession: Bench = {
  name: 'big-session',
  what: 'open, page and append at 1M entries',
  beside: 'the same at 10k entries',
  how: `Open: a journal is opened, and its head and last ${page} entries are read. Page: ${page} entries are read from random places in the middle half. Append: one event is saved durably, median of ${repeats.append}. The two sizes take turns. The ratio is the worst of the three.`,
  seconds: 0,
  async run() {
    using folder = createScratchFolder()
    const events = createNativeLines(32 * atOnce).map(hear)
    const bigs = sizes.map(size => ({ size, folder: join(folder.path, String(size)) }))
    for (const big of bigs) await fill(big, events)
    const opens = await interleave(
      rounds.open,
      bigs.map(big => () => openOnce(big)),
    )
    await using stores = new AsyncDisposableStack()
    const opened: Opened[] = []
    for (const big of bigs) opened.push({ ...big, store: stores.use(await openOurStore(big.folder)) })
    const pages = await interleave(rounds.page, opened.map(readPages))
    const appends = await interleave(
      rounds.append,
      opened.map(one => () => appendOften(one, events)),
    )
    return [report({ open: opens, page: pages, append: appends })]
  },
}

interface Big {
  readonly size: number
  readonly folder: string
}

interface Opened extends Big {
  readonly store: OurStore
}

/** The numbers of each work, by size and round. */
type Timings = Readonly<Record<'open' | 'page' | 'append', readonly (readonly number[])[]>>

/**
 * Appends a segment's worth at a time and lets it be packed: what piles up becomes one large segment, of which a
 * page costs more, and luck would decide which of the sizes has more of them.
 */
async function fill({ size, folder }: Big, events: readonly Event[]): Promise<void> {
  await using store = await openOurStore(folder)
  await store.journal.create(session, [])
  for (let saved = 0; saved < size; saved += atOnce) {
    const from = saved % events.length
    await store.journal.append(session, events.slice(from, from + Math.min(atOnce, size - saved)))
    await sleep(packing)
  }
}

async function openOnce({ size, folder }: Big): Promise<number> {
  const begin = performance.now()
  await using store = await openOurStore(folder)
  const head = await store.journal.head(session)
  if (head !== size) throw new Error(`The session of ${size} entries has ${head}.`)
  await readPage(store, head - page)
  return performance.now() - begin
}

/** Pages may be cut where a segment ends, so that a page of a hundred can take two questions. */
async function readPage({ journal }: OurStore, after: number): Promise<void> {
  for (let got = 0; got < page;) got += (await journal.read(session, after + got, page - got)).length
}

function readPages({ size, store }: Opened): Slice {
  const random = createRandom(size)
  return async () => {
    const begin = performance.now()
    for (let time = 0; time < repeats.page; time++)
      await readPage(store, Math.floor((0.25 + random() / 2) * size))
    return (performance.now() - begin) / repeats.page
  }
}

async function appendOften({ store }: Opened, events: readonly Event[]): Promise<number> {
  const times: number[] = []
  for (const event of events.slice(0, repeats.append)) {
    const begin = performance.now()
    await store.journal.append(session, [event])
    times.push(performance.now() - begin)
  }
  await workLeft()
  return median(times)
}

function report(timings: Timings): Measured {
  const works = Object.entries(timings).map(([work, [small = [], middle = [], large = []]]) => ({
    work,
    small: median(small),
    large: median(large),
    atMiddle: ratioOf(middle, small).ratio,
    ...ratioOf(large, small),
  }))
  const worst = works.reduce((one, other) => (other.ratio > one.ratio ? other : one))
  const ratios = works.map(
    ({ work, ratio, atMiddle }) => `${work} ${ratio.toFixed(2)} (100k: ${atMiddle.toFixed(2)})`,
  )
  return {
    ours: works.map(({ work, large }) => `${work} ${milliseconds(large)}`).join(', '),
    peer: works.map(({ small }) => milliseconds(small)).join(', '),
    ratio: worst.ratio,
    spread: worst.spread,
    goal: { kind: 'at-most', ratio: 1.2 },
    note: ratios.join(', '),
  }
}
