import { isDeepStrictEqual } from 'node:util'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '../src/protocol/entry.ts'
import type { SessionId } from '../src/protocol/ids.ts'
import type { Bench, Measured } from './harness/bench.ts'
import { dropCaches } from './harness/drop-caches.ts'
import { interleave, ratioOf } from './harness/interleave.ts'
import { milliseconds } from './harness/numbers.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'
import { median } from './harness/statistics.ts'
import { createNativeLines } from './load/native-lines.ts'
import { createSpeech, type Speech } from './load/spoken.ts'
import { wireText } from './load/wire.ts'
import { openOurStore } from './stores/our-journal.ts'
import { openRowReader } from './stores/row-reader.ts'
import { openRowStore } from './stores/row-store.ts'

const count = 10_000
const sessionCount = 100
/**
 * How many entries of others come between two of the session: 26 KB of rows. With 20 or fewer the system's
 * read-ahead (8 MB on our machine) brings the next row along and hides the scatter; with 40 a row costs as much as
 * with the 99 of 100 equal sessions, which would take a gigabyte.
 */
const between = 40
const together = 20
const rounds = 5

/** How long it takes to read a session that was not read for a while. */
export const coldReplay: Bench = {
  name: 'cold-replay',
  what: '10,000 entries of one session among 100, cold file cache',
  beside: 'one row per event (rowid table + index on session and seq), as they came',
  how: `Between any two entries of the session there are ${between} entries of the 99 other sessions, so that read-ahead does not help. Each round opens a new journal or connection and reads another session once to warm up. Then the file caches are dropped.`,
  seconds: 0,
  async run() {
    using folder = createScratchFolder()
    const ours = join(folder.path, 'ours')
    const rows = join(folder.path, 'rows')
    mkdirSync(rows)
    const speeches = Array.from({ length: sessionCount }, (_, no) => createSpeech(no))
    const entries = await fillOurs(ours, speeches)
    fillRows(join(rows, 'rows.db'), entries)
    const expected = entries.filter(({ session }) => session === speeches[0]?.session)
    const note = `${entries.length} entries in all; ${dropCaches(folder.path)}`
    const results: Measured[] = []
    for (const form of ['entries', 'texts'] as const) {
      const [own = [], others = []] = await interleave(rounds, [
        () => replayOurs(ours, form, expected),
        () => replayRows(rows, form, expected),
      ])
      results.push(report(form, own, others, note))
    }
    return results
  },
}

type Form = 'entries' | 'texts'

const report = (form: Form, own: readonly number[], others: readonly number[], note: string): Measured => ({
  part: form === 'entries' ? 'parsed, with raws' : 'as JSON texts for clients',
  ours: milliseconds(median(own)),
  peer: milliseconds(median(others)),
  ...ratioOf(others, own),
  goal: { kind: 'at-least', ratio: 30 },
  note,
})

/** Saves the entries of all sessions as they come and gives them in that order. */
async function fillOurs(folder: string, speeches: readonly Speech[]): Promise<readonly Entry[]> {
  await using store = await openOurStore(folder)
  const { journal } = store
  for (const { session } of speeches) await journal.create(session, [])
  const lines = createNativeLines(count)
  const entries: Entry[] = []
  for (let from = 0; from < count; from += together) {
    const saves = lines
      .slice(from, from + together)
      .flatMap((line, no) => speakersAt(speeches, from + no).map(speaker => ({ line, speaker })))
      .map(({ line, speaker: { session, hear } }) => journal.append(session, [hear(line)]))
    for (const saved of await Promise.all(saves)) entries.push(...saved)
  }
  for (const { session } of speeches) journal.mayPack(session)
  return entries
}

/** The first session, and of the others those whose turn it is. */
const speakersAt = ([one, ...rest]: readonly Speech[], turn: number) =>
  [one, ...Array.from({ length: between }, (_, no) => rest[(turn * between + no) % rest.length])].filter(
    speaker => speaker !== undefined,
  )

function fillRows(path: string, entries: readonly Entry[]): void {
  using store = openRowStore(path, 'appended')
  const commit = together * (between + 1)
  for (let from = 0; from < entries.length; from += commit) store.save(entries.slice(from, from + commit))
}

const { session: one } = createSpeech(0)
const { session: another } = createSpeech(1)

async function replayOurs(folder: string, form: Form, expected: readonly Entry[]): Promise<number> {
  await using store = await openOurStore(folder)
  const { journal } = store
  const read = (session: SessionId, after: number) =>
    form === 'entries' ? journal.read(session, after, 1000) : journal.readTexts(session, after, 1000)
  await read(another, 0)
  dropCaches(folder)
  const begin = performance.now()
  const items: unknown[] = []
  while (items.length < count) {
    const page = await read(one, items.length)
    if (page.length === 0) break
    items.push(...page)
  }
  const elapsed = performance.now() - begin
  refuseDifferent(form, items, expected)
  return elapsed
}

async function replayRows(folder: string, form: Form, expected: readonly Entry[]): Promise<number> {
  using reader = openRowReader(join(folder, 'rows.db'))
  const read = (session: SessionId, no: number) =>
    form === 'entries' ? reader.read(session, no, 0, count) : reader.readTexts(session, no, 0, count)
  read(another, 2)
  dropCaches(folder)
  const begin = performance.now()
  const items = read(one, 1)
  const elapsed = performance.now() - begin
  refuseDifferent(form, items, expected)
  return elapsed
}

function refuseDifferent(form: Form, items: readonly unknown[], expected: readonly Entry[]): void {
  const wanted = form === 'entries' ? expected : expected.map(wireText)
  if (!isDeepStrictEqual(items, wanted)) throw new Error('What was read is not what was saved.')
}
