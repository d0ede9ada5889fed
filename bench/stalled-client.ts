import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Measured } from './harness/bench.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'
import { median } from './harness/statistics.ts'
import type { EntriesAsked, EntriesTold } from './wire/entries-asked.ts'
import { openFanout } from './wire/open-fanout.ts'
import { startPart } from './wire/part.ts'
import type { PlainAsked, PlainTold } from './wire/plain-asked.ts'

const piece = 4096
const total = 80 << 20
const rounds = 3
const stalled = 4
const mebibyte = 1 << 20

/** What a client costs that has stopped reading while much goes on. */
export const stalledClient: Bench = {
  name: 'stalled-client',
  what: `${total / mebibyte} MB flow past a client that does not read: memory it costs`,
  beside: 'plain node:http and ws',
  how: `Resident memory after the flow, tidied by the collector: with ${stalled} stalled clients less without any, by client. Ours in MiB is what counts (at most 1): the ratio only compares.`,
  seconds: 0,
  async run() {
    const measured: Measured[] = []
    for (const over of ['sse', 'websocket'] as const) {
      const own = await several(
        async () => ((await ofOurs(over, stalled)) - (await ofOurs(over, 0))) / stalled,
      )
      const others = await several(async () => ((await ofPlain(over, 1)) - (await ofPlain(over, 0))) / 1)
      const text = (values: readonly number[]) => `${(median(values) / mebibyte).toFixed(2)} MiB`
      measured.push({
        part: over === 'sse' ? 'SSE' : 'WebSocket',
        ours: text(own),
        peer: text(others),
        ratio: median(own) / mebibyte,
        goal: { kind: 'at-most', ratio: 1 },
        note: 'the ratio is to one MiB',
      })
    }
    return measured
  },
}

async function several(measure: () => Promise<number>): Promise<readonly number[]> {
  const values: number[] = []
  for (let round = 0; round < rounds; round++) values.push(await measure())
  return values
}

/** How far our server grows while one session says so much, with so many clients that do not read. */
async function ofOurs(over: 'sse' | 'websocket', count: number): Promise<number> {
  using folder = createScratchFolder()
  await using server = await openFanout(join(folder.path, 'data'), true, 1)
  await using reading = await startPart<EntriesAsked, EntriesTold>('entry-readers')
  await using crowd = await startPart<EntriesAsked, EntriesTold>('entry-readers')
  const [url = ''] = await server.liveUrls()
  const { headers } = server
  await server.speak(500, 1000, piece)
  const before = await server.memory()
  await reading.ask({ type: 'join', urls: [url], headers, over: 'sse', reads: true })
  const socket = `${server.url}/api/ws?session=${server.sessions[0]}&after=1`
  const urls = Array.from({ length: count }, () => (over === 'sse' ? url : socket))
  if (count > 0) await crowd.ask({ type: 'join', urls, headers, over, reads: false })
  await server.speak(5000, (total / piece / 5000) * 1000, piece)
  await sleep(1000)
  return (await server.memory()) - before
}

async function ofPlain(over: 'sse' | 'websocket', count: number): Promise<number> {
  await using server = await startPart<PlainAsked, PlainTold>('plain-server')
  await using crowd = await startPart<EntriesAsked, EntriesTold>('entry-readers')
  const { url, memory: before } = await server.ask({ type: 'look' })
  if (count > 0)
    await crowd.ask({
      type: 'join',
      urls: Array.from({ length: count }, () => url),
      headers: {},
      over,
      reads: false,
    })
  const { memory } = await server.ask({ type: 'write', bytes: total, piece })
  return memory - before
}
