import { join } from 'node:path'
import { compile, profiles } from '../../../src/context/index.ts'
import type { Bench, Measured } from '../../harness/bench.ts'
import { interleave } from '../../harness/interleave.ts'
import { milliseconds } from '../../harness/numbers.ts'
import { createScratchFolder } from '../../harness/scratch-folder.ts'
import { median, middleHalf } from '../../harness/statistics.ts'
import { openOurStore } from '../../stores/our-journal.ts'
import { active, compileActive, fillJournal, readMiddle } from './big-journal.ts'
import { createLongTalk } from './long-talk.ts'

const sizes = [1000, 10_000, 100_000] as const
const journals = [10_000, 1_000_000] as const
const rounds = 20
const repeats = 10

/** Whether a context can be made quickly, however long the session is. */
export const contextSize: Bench = {
  name: 'context-size',
  what: 'make the context of a request',
  beside: 'the limits of the design',
  how: `Warm: one more request in a conversation of this many messages, with \`safe\`; everything is kept between requests. Append: a call and its result are added to the history. Active: the newest ${active} messages of a journal on disk are read, folded and compiled from scratch. The ratio is the time divided by the limit.`,
  seconds: 0,
  async run() {
    const talks = sizes.map(createTimedTalk)
    const warm = await interleave(
      rounds,
      talks.map(
        ({ request }) =>
          async () =>
            request(),
      ),
    )
    const append = await interleave(
      rounds,
      talks.map(
        ({ append: add }) =>
          async () =>
            add(),
      ),
    )
    const [small = [], middle = [], large = []] = warm
    return [
      limited('10,000 messages, one more request', middle, 50, growth([small, middle, large], sizes)),
      limited('10,000 messages, append', append[1] ?? [], 1, growth(append, sizes)),
      ...(await measureJournals()),
    ]
  },
}

function createTimedTalk(messages: number) {
  const talk = createLongTalk(messages)
  let { manifest } = compile(talk.draft.view(), talk.target(), profiles.safe, null)
  const append = () => {
    const begin = performance.now()
    for (let time = 0; time < repeats; time++) talk.grow()
    return (performance.now() - begin) / repeats
  }
  const request = () => {
    talk.grow()
    const begin = performance.now()
    manifest = compile(talk.draft.view(), talk.target(), profiles.safe, manifest).manifest
    return performance.now() - begin
  }
  return { append, request }
}

async function measureJournals(): Promise<readonly Measured[]> {
  using folder = createScratchFolder()
  await using stores = new AsyncDisposableStack()
  const opened = []
  for (const size of journals) {
    const path = join(folder.path, String(size))
    await fillJournal(path, size)
    opened.push(stores.use(await openOurStore(path)))
  }
  const compiled = await interleave(
    rounds,
    opened.map(store => () => compileActive(store)),
  )
  const paged = await interleave(
    rounds,
    opened.map(store => () => readMiddle(store)),
  )
  return [
    limited('1,000,000 messages, the active part', compiled[1] ?? [], 100, growth(compiled, journals)),
    limited('1,000,000 messages, a page', paged[1] ?? [], 100, growth(paged, journals)),
  ]
}

const limited = (part: string, times: readonly number[], limit: number, note: string): Measured => {
  const [low, high] = middleHalf(times)
  return {
    part,
    ours: milliseconds(median(times)),
    peer: milliseconds(limit),
    ratio: median(times) / limit,
    spread: [low / limit, high / limit],
    goal: { kind: 'at-most', ratio: 1 },
    note,
  }
}

const growth = (times: readonly (readonly number[])[], of: readonly number[]): string =>
  of
    .map(
      (size, at) => `${milliseconds(median(times[at] ?? []))} with ${size.toLocaleString('en-US')} messages`,
    )
    .join(', ')
