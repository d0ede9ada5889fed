import { spawnSync } from 'node:child_process'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Search } from '../src/search/search.ts'
import { openStore, type SqliteStore } from '../src/store/open-store.ts'
import type { Bench, Measured } from './harness/bench.ts'
import { milliseconds } from './harness/numbers.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'
import { median, middleHalf } from './harness/statistics.ts'
import { readAllTexts, type PlacedText } from './search/all-texts.ts'
import { measureAppends, measureLag } from './search/live.ts'
import { saveCopies, whyNoCorpus } from './search/many-sessions.ts'
import { measureRecall } from './search/recall.ts'

/** A copy of the corpus has about eight megabytes of text. */
const copiesForASecond = 1
const rounds = 5
const words = [
  'checkpoint',
  'rebase',
  'session',
  'strategy',
  'error handling',
  'transcript path',
  'manual_commit_hooks.go',
  'getGitAuthor',
  'commit hooks install',
  'panic',
  'shadow branch',
  'json',
]
const exacts = [
  '"shadow branch"',
  '"func Test"',
  '"exit status 1"',
  '"ranscri"',
  '"manual_commit"',
  '"if err != nil"',
  '"日本"',
]
const patterns = [
  String.raw`/func \w+Hook\(/`,
  '/(?:rebas|merg)ing/',
  '/v[0-9]+\\.[0-9]+\\.[0-9]+/',
  '/TODO|FIXME/',
  '/^package strategy$/',
]

/** How fast, how small and how complete the search is. */
export const search: Bench = {
  name: 'search',
  what: 'search over copies of the corpus, one word in eight changed',
  beside: 'rg over the same texts, unpacked; the limits of the design',
  how: `Processor time of all threads for the first 20 hits with snippets, median of ${rounds} rounds over fixed queries, beside that of rg (Debian's ripgrep) for the same words over plain files in the page cache. Size: \`search.db\` beside the packed events and raws. Recall: all hits beside a look at every text, ignoring case as grep -i does.`,
  seconds: 40,
  async run({ seconds }) {
    const none = whyNoCorpus()
    if (none !== null)
      return [{ ours: '–', peer: '–', ratio: null, goal: { kind: 'at-most', ratio: 1 }, note: none }]
    using folder = createScratchFolder()
    const data = join(folder.path, 'data')
    await using store = await openStore({ folder: data, durability: 'fast' })
    const copies = Math.max(1, Math.round(seconds * copiesForASecond))
    await saveCopies(store, copies)
    const indexing = await timed(() => indexAll(store.search))
    const texts = await readAllTexts(store)
    const plain = writePlain(folder.path, texts)
    return [
      ...(await measureTimes(store.search, plain, texts, indexing)),
      await measureSize(store, data),
      ...(await measureFinding()),
      await measureAppends(),
      await measureLag(),
    ]
  },
}

async function indexAll(index: Search): Promise<void> {
  index.start()
  do await index.settle(1000)
  while (index.isBusy())
}

/** Processor time of all threads, in milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function writePlain(path: string, texts: readonly PlacedText[]): string {
  const plain = join(path, 'plain')
  mkdirSync(plain)
  const size = Math.ceil(texts.length / 100)
  for (let from = 0; from < texts.length; from += size)
    writeFileSync(
      join(plain, `${from}.txt`),
      texts
        .slice(from, from + size)
        .map(({ text }) => text)
        .join('\n'),
    )
  return plain
}

/** The processor time of rg, in milliseconds; null if it is not installed. */
function timeOfRg(pattern: string, plain: string, isFixed: boolean): number | null {
  const line = 'TIMEFORMAT="%U %S"; time rg -c "$@" >/dev/null'
  const flags = isFixed ? ['-i', '-F'] : []
  const { stderr, status } = spawnSync('bash', ['-c', line, 'rg', ...flags, '--', pattern, plain], {
    encoding: 'utf8',
  })
  const [, user, system] = /([\d.]+) ([\d.]+)\s*$/.exec(stderr) ?? []
  return status === 127 || stderr.includes('not found') ? null : (Number(user) + Number(system)) * 1000
}

async function timesOf(index: Search, queries: readonly string[]): Promise<readonly number[]> {
  const times: number[] = []
  for (let round = 0; round <= rounds; round += 1)
    for (const query of queries) {
      const time = await timed(() => index.find({ query, limit: 20 }))
      if (round > 0) times.push(time)
    }
  return times
}

async function measureTimes(
  index: Search,
  plain: string,
  texts: readonly PlacedText[],
  indexing: number,
): Promise<readonly Measured[]> {
  const megabytes = texts.reduce((sum, { text }) => sum + text.length, 0) / 1e6
  const size = `${megabytes.toFixed(0)} MB of text in ${texts.length} parts; indexed at ${((megabytes / indexing) * 1000).toFixed(1)} MB a second of processor time`
  const [ours, hard] = [await timesOf(index, words), await timesOf(index, [...exacts, ...patterns])]
  const rg = words.map(word => timeOfRg(word, plain, true))
  const peer = rg.includes(null) ? null : median(rg.map(Number))
  return [
    limited('first 20 hits, words', ours, 50, size),
    {
      part: 'words, beside rg',
      ours: milliseconds(median(ours)),
      peer: peer === null ? '–' : milliseconds(peer),
      ratio: peer === null ? null : median(ours) / peer,
      goal: { kind: 'at-most', ratio: 0.2 },
      note:
        peer === null
          ? 'rg not found: apt-get install ripgrep'
          : 'the time of rg grows with the size of the texts, ours does not',
    },
    limited('first 20 hits, exact texts and patterns', hard, 100),
  ]
}

const limited = (part: string, times: readonly number[], limit: number, note?: string): Measured => ({
  part,
  ours: milliseconds(median(times)),
  peer: milliseconds(limit),
  ratio: median(times) / limit,
  spread: middleHalf(times.map(time => time / limit)),
  goal: { kind: 'at-most', ratio: 1 },
  note: `${note === undefined ? '' : `${note}; `}the slowest took ${milliseconds(Math.max(...times))}`,
})

async function measureSize(store: SqliteStore, data: string): Promise<Measured> {
  await packed(store)
  using journal = new DatabaseSync(join(data, 'journal.db'), { readOnly: true })
  const sum = 'select coalesce(sum(length(events) + length(raws)), 0) as bytes, count(*) as rows from segment'
  const journalBytes = Number(journal.prepare(sum).get()?.['bytes'])
  using index = new DatabaseSync(join(data, 'search.db'))
  index.exec('pragma wal_checkpoint(truncate)')
  const bytes = statSync(join(data, 'search.db')).size
  return {
    part: 'size beside the packed journal',
    ours: `${(bytes / 1e6).toFixed(1)} MB`,
    peer: `${(journalBytes / 1e6).toFixed(1)} MB`,
    ratio: bytes / journalBytes,
    goal: { kind: 'at-most', ratio: 0.6 },
  }
}

/** Sessions at rest are packed at once. */
async function packed(store: SqliteStore): Promise<void> {
  for (const { session } of (await store.catalogue.list({ limit: 500 })).sessions)
    store.journal.mayPack(session)
}

/** One copy is enough to compare all hits. */
async function measureFinding(): Promise<readonly Measured[]> {
  using folder = createScratchFolder()
  await using store = await openStore({ folder: folder.path, durability: 'fast' })
  await saveCopies(store, 1)
  await indexAll(store.search)
  const texts = await readAllTexts(store)
  const all: Measured[] = []
  for (const [part, queries, goal] of [
    ['recall of words', words, 0.98],
    ['recall of exact texts', exacts, 1],
    ['recall of patterns', patterns, 1],
  ] as const) {
    const { found, there, wrong } = await measureRecall(store.search, texts, queries)
    const note = `${queries.length} queries, ${wrong} wrong hits`
    const ratio = wrong > 0 && part !== 'recall of words' ? 0 : found / there
    all.push({
      part,
      ours: `${found} of ${there}`,
      peer: String(goal),
      ratio,
      goal: { kind: 'at-least', ratio: goal },
      note,
    })
  }
  return all
}
