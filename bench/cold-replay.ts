import { isDeepStrictEqual } from 'node:util'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '../src/protocol/entry.ts'
import type { Bench } from './harness/bench.ts'
import { dropCaches } from './harness/drop-caches.ts'
import { interleave, ratioOf } from './harness/interleave.ts'
import { milliseconds } from './harness/numbers.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'
import { median } from './harness/statistics.ts'
import { createNativeLines } from './load/native-lines.ts'
import { createSpeech, type Speech } from './load/spoken.ts'
import { openOurStore } from './stores/our-journal.ts'
import { openRowReader } from './stores/row-reader.ts'
import { openRowStore } from './stores/row-store.ts'

const count = 10_000
const sessionCount = 100
/** How many entries of others come between two of ours: with fewer, two of its rows would share a page of 4 KiB. */
const between = 40
const together = 50
const rounds = 5

/** How long it takes to read a session that nobody has looked at for a while. */
export const coldReplay: Bench = {
  name: 'cold-replay',
  what: '10,000 entries of one session among 100, cold file cache',
  beside: 'one row per event (rowid table + index on session and seq), as they came',
  how: `${between} entries of the 99 others lie between two of the session, so that each of its rows has a page of its own, as with 100 equal sessions in a tenth of the space; a fresh journal or connection each round, warmed by one entry of another session, then the caches dropped; both give entries with event and raw.`,
  seconds: 0,
  async run() {
    using folder = createScratchFolder()
    const ours = join(folder.path, 'ours')
    const rows = join(folder.path, 'rows')
    mkdirSync(rows)
    const speeches = Array.from({ length: sessionCount }, (_, no) => createSpeech(no))
    const entries = await fillOurs(ours, speeches)
    fillRows(join(rows, 'rows.db'), entries)
    const [one, another] = speeches
    if (one === undefined || another === undefined) throw new Error('There are no sessions.')
    const expected = entries.filter(({ session }) => session === one.session)
    const [own = [], others = []] = await interleave(rounds, [
      () => replayOurs(ours, one, another, expected),
      () => replayRows(rows, one, another, expected),
    ])
    return [
      {
        ours: milliseconds(median(own)),
        peer: milliseconds(median(others)),
        ...ratioOf(others, own),
        goal: { kind: 'at-least', ratio: 30 },
        note: `${entries.length} entries in all; ${dropCaches(folder.path)}`,
      },
    ]
  },
}

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
  for (const { session } of speeches) journal.rest(session)
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

async function replayOurs(folder: string, one: Speech, another: Speech, expected: readonly Entry[]) {
  await using store = await openOurStore(folder)
  const { journal } = store
  await journal.read(another.session, 0, 1)
  dropCaches(folder)
  const begin = performance.now()
  const entries: Entry[] = []
  while (entries.length < count) {
    const page = await journal.read(one.session, entries.length, 1000)
    if (page.length === 0) break
    entries.push(...page)
  }
  const elapsed = performance.now() - begin
  refuseDifferent(entries, expected)
  return elapsed
}

async function replayRows(folder: string, one: Speech, another: Speech, expected: readonly Entry[]) {
  using reader = openRowReader(join(folder, 'rows.db'))
  reader.read(another.session, 2, 0, 1)
  dropCaches(folder)
  const begin = performance.now()
  const entries = reader.read(one.session, 1, 0, count)
  const elapsed = performance.now() - begin
  refuseDifferent(entries, expected)
  return elapsed
}

function refuseDifferent(entries: readonly Entry[], expected: readonly Entry[]): void {
  if (!isDeepStrictEqual(entries, expected)) throw new Error('What was read is not what was saved.')
}
