import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionId } from '../../src/protocol/ids.ts'
import { openStore, type SqliteStore } from '../../src/store/open-store.ts'
import type { Measured } from '../harness/bench.ts'
import { ratioOf } from '../harness/interleave.ts'
import { milliseconds } from '../harness/numbers.ts'
import { createScratchFolder } from '../harness/scratch-folder.ts'
import { median } from '../harness/statistics.ts'
import { createNativeLines } from '../load/native-lines.ts'
import { createSpeech, type Speech } from '../load/spoken.ts'

const sessions = 40
const rounds = 8
const roundMs = 2500
const everyMs = 20

/** How much later appends are acknowledged while everything is indexed. */
export async function measureAppends(): Promise<Measured> {
  using folder = createScratchFolder()
  await using indexed = await openStore({ folder: `${folder.path}/indexed` })
  await using bare = await openStore({ folder: `${folder.path}/bare` })
  const lines = createNativeLines(4096)
  const speakers = await Promise.all([indexed, bare].map(store => createSpeakers(store, lines)))
  indexed.search.start()
  await indexed.search.settle(5000)
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round <= rounds; round += 1)
    for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const delays = await speakFor(speakers[which] ?? [], roundMs)
      await indexed.search.settle(10_000)
      if (round > 0) times[which].push(percentile(delays, 0.99))
    }
  const [withIndex, without] = times
  return {
    part: 'p99 of an append while all is indexed',
    ours: milliseconds(median(withIndex)),
    peer: milliseconds(median(without)),
    ...ratioOf(withIndex, without),
    goal: { kind: 'at-most', ratio: 1.05 },
    note: `${sessions} sessions, each with ${1000 / everyMs} lines a second, fully durable`,
  }
}

interface Speaker {
  readonly say: () => Promise<void>
}

async function createSpeakers(store: SqliteStore, lines: readonly string[]): Promise<readonly Speaker[]> {
  const speakers: Speaker[] = []
  for (let no = 0; no < sessions; no += 1)
    speakers.push(await createSpeaker(store, createSpeech(no), lines, no * 100))
  return speakers
}

async function createSpeaker(
  { journal }: SqliteStore,
  { session, hear }: Speech,
  lines: readonly string[],
  first: number,
) {
  let next = first
  await journal.create(session, [
    { type: 'session-created', agent: 'scripted', cwd: '/', title: null, options: null },
  ])
  return { say: async () => void (await journal.append(session, [hear(lines[next++ % lines.length] ?? '')])) }
}

/** Each speaker in turn, evenly: the delays of all appends. */
async function speakFor(speakers: readonly Speaker[], duration: number): Promise<readonly number[]> {
  const delays: number[] = []
  const open: Promise<void>[] = []
  const until = performance.now() + duration
  while (performance.now() < until) {
    for (const { say } of speakers) {
      const began = performance.now()
      open.push(say().then(() => void delays.push(performance.now() - began)))
    }
    await sleep(everyMs)
  }
  await Promise.all(open)
  return delays
}

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

const tries = 10
const limitMs = 2000

/** How long it takes until a new text is found. */
export async function measureLag(): Promise<Measured> {
  using folder = createScratchFolder()
  await using store = await openStore({ folder: folder.path })
  store.search.start()
  const times: number[] = []
  for (let no = 0; no < tries; no += 1) {
    const query = `needle${no}`
    await store.journal.create(`s${no}` as SessionId, [
      { type: 'session-created', agent: 'scripted', cwd: '/', title: query, options: null },
    ])
    const began = performance.now()
    while ((await store.search.find({ query: `"${query}"`, limit: 1 })).hits.length === 0) await sleep(5)
    times.push(performance.now() - began)
  }
  return {
    part: 'from the append to the hit',
    ours: milliseconds(Math.max(...times)),
    peer: milliseconds(limitMs),
    ratio: Math.max(...times) / limitMs,
    goal: { kind: 'at-most', ratio: 1 },
    note: `the slowest of ${tries}; median ${milliseconds(median(times))}`,
  }
}
