import { DurableStream } from '@durable-streams/client'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from './harness/bench.ts'
import { interleave } from './harness/interleave.ts'
import { ratioOf } from './harness/interleave.ts'
import { milliseconds, perSecond } from './harness/numbers.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'
import { median } from './harness/statistics.ts'
import type { DurableAsked, DurableTold } from './wire/durable-asked.ts'
import { openFanout } from './wire/open-fanout.ts'
import { startPart, type Part } from './wire/part.ts'
import type { StampsAsked, StampsTold } from './wire/stamps-asked.ts'

const rounds = 5
const count = 1000

/** One stream, each chunk acknowledged before the next is sent. */
export const vsDurableStreams: Bench = {
  name: 'vs-durable-streams',
  what: '1 stream, each chunk saved before the next is sent, followed over SSE',
  beside: '@durable-streams/server, in files',
  how: 'Rate: chunks per second until the follower has the last one. Latency: the median age of a chunk when the follower gets it. Our agents run in the server and append there; the peer accepts data only over HTTP.',
  seconds: 0,
  async run() {
    using folder = createScratchFolder()
    await using ours = await openFanout(join(folder.path, 'ours'), 'journal', 1)
    await using theirs = await startPart<DurableAsked, DurableTold>('durable-server')
    await using reader = await startPart<StampsAsked, StampsTold>('stamp-reader')
    const { url } = await theirs.ask({ folder: join(folder.path, 'theirs') })
    const stream = new DurableStream({ url, contentType: 'application/json' })
    const ages: [number[], number[]] = [[], []]
    const [own = [], others = []] = await interleave(rounds, [
      async () => {
        const [live = ''] = await ours.liveUrls()
        await reader.ask({ type: 'follow', url: live, headers: ours.headers, peer: false })
        return rate(reader, ages[0], () => ours.say(count))
      },
      async () => {
        await reader.ask({ type: 'follow', url, headers: {}, peer: true })
        return rate(reader, ages[1], async () => {
          for (let no = 0; no < count; no++)
            await stream.append(JSON.stringify({ stamp: String(performance.timeOrigin + performance.now()) }))
        })
      },
    ])
    const goal = { kind: 'at-least', ratio: 5 } as const
    return [
      {
        part: 'rate',
        ours: perSecond(median(own)),
        peer: perSecond(median(others)),
        ...ratioOf(own, others),
        goal,
      },
      {
        part: 'latency',
        ours: milliseconds(median(ages[0])),
        peer: milliseconds(median(ages[1])),
        ratio: median(ages[1]) / median(ages[0]),
        goal,
      },
    ]
  },
}

async function rate(
  reader: Part<StampsAsked, StampsTold>,
  ages: number[],
  say: () => Promise<void>,
): Promise<number> {
  await sleep(200)
  const begin = performance.timeOrigin + performance.now()
  await say()
  while ((await reader.ask({ type: 'count' })).count < count) await sleep(20)
  const told = await reader.ask({ type: 'look' })
  ages.push(...told.ages)
  return (count / (told.lastAt - begin)) * 1000
}
