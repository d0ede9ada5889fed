import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { followTexts } from '../src/journal/follow.ts'
import type { Event } from '../src/protocol/event.ts'
import type { SessionId } from '../src/protocol/ids.ts'
import type { Bench, Measured } from './harness/bench.ts'
import { interleave, ratioOf, type Slice } from './harness/interleave.ts'
import { milliseconds } from './harness/numbers.ts'
import { workLeft } from './harness/quiet.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'
import { median } from './harness/statistics.ts'
import { createNativeLines } from './load/native-lines.ts'
import type { Store } from './load/paths.ts'
import { createSpeech } from './load/spoken.ts'
import { openOurStore } from './stores/our-journal.ts'
import { startRedis } from './stores/redis-server.ts'
import { openResumable } from './stores/resumable.ts'

const count = 100_000
const missed = 100
const atOnce = 100
const rounds = 10
const repeats = 20

/** How long a reader waits that lost its connection near the end of a long answer. */
export const resumeTail: Bench = {
  name: 'resume-tail',
  what: 'the last 100 of 100,000 entries of a live session',
  beside: 'resumable-stream + Redis',
  how: `The time from the request until the texts are ready to be sent, inside the server's process. Ours: followTexts. The peer: resumeExistingStream with skipCharacters, with an idle producer. The mean of ${repeats} rounds, or of 3 for the peer.`,
  seconds: 0,
  async run() {
    using folder = createScratchFolder()
    const { session, hear } = createSpeech(0)
    const events = createNativeLines(count).map(hear)
    await using live = await openOurStore(join(folder.path, 'live'))
    await fill(live, session, events)
    const packed = join(folder.path, 'packed')
    await fillAndClose(packed, session, events)
    await using restarted = await openOurStore(packed)
    await using redis = await startRedis(folder.path)
    const peer = redis && (await openPeer(redis.url, events))
    await using _ = peer
    await workLeft()
    const tail = (store: Store) => timed(repeats, () => readTail(store, session))
    const slices = [tail(live), tail(restarted), ...(peer ? [peer.slice] : [])]
    const [hot = [], cold = [], others] = await interleave(rounds, slices)
    return [report('from memory', hot, others), report('from disk, after a restart', cold, others)]
  },
}

function report(part: string, own: readonly number[], others: readonly number[] | undefined): Measured {
  const goal = { kind: 'at-least', ratio: 25 } as const
  const ours = milliseconds(median(own))
  if (others === undefined)
    return {
      part,
      ours,
      peer: '–',
      ratio: null,
      goal,
      note: 'redis-server not found: apt-get install redis-server',
    }
  return { part, ours, peer: milliseconds(median(others)), ...ratioOf(others, own), goal }
}

/** As a stream comes: no faster than it is packed, for what piles up becomes one large segment. */
async function fill({ journal }: Store, session: SessionId, events: readonly Event[]) {
  await journal.create(session, [])
  for (let from = 0; from < events.length; from += atOnce) {
    await journal.append(session, events.slice(from, from + atOnce))
    await sleep(2)
  }
}

async function fillAndClose(folder: string, session: SessionId, events: readonly Event[]) {
  await using store = await openOurStore(folder)
  await fill(store, session, events)
}

/** The mean time of a task. Leaving, after it, is not counted. */
const timed =
  (times: number, work: () => Promise<() => Promise<void>>): Slice =>
  async () => {
    let sum = 0
    for (let time = 0; time < times; time++) {
      const begin = performance.now()
      const leave = await work()
      sum += performance.now() - begin
      await leave()
    }
    return sum / times
  }

async function readTail(store: Store, session: SessionId): Promise<() => Promise<void>> {
  const stop = new AbortController()
  const following = followTexts(store, session, count - missed, { signal: stop.signal })
  let got = 0
  while (got < missed) {
    const { value, done } = await following.next()
    if (done) break
    got += value.length
  }
  if (got !== missed) throw new Error(`Our tail has ${got} entries.`)
  return async () => void (await following.return())
}

/** The same chunks in the peer, as the AI SDK sends them: they are shorter than our entries. */
async function openPeer(url: string, events: readonly Event[]) {
  const texts = events.map(sseOf)
  const resumable = await openResumable(url, texts)
  const expected = texts.slice(-missed).join('')
  const skipped = texts.reduce((sum, text) => sum + text.length, 0) - expected.length
  const slice = timed(3, async () => {
    const { text, leave } = await resumable.resume(skipped)
    if (text !== expected) throw new Error('The tail of the peer differs.')
    return leave
  })
  return { slice, [Symbol.asyncDispose]: () => resumable[Symbol.asyncDispose]() }
}

const sseOf = (event: Event) =>
  'chunks' in event ? event.chunks.map(({ chunk }) => `data: ${JSON.stringify(chunk)}\n\n`).join('') : ''
