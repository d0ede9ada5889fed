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
const stalled = 32
const mebibyte = 1 << 20

/** What a client costs that has stopped reading while much goes on. */
export const stalledClient: Bench = {
  name: 'stalled-client',
  what: `${total / mebibyte} MB flow past a client that does not read: memory it costs`,
  beside: 'plain node:http and ws',
  how: `What is in use on the heap and in buffers beside it after the flow, tidied by the collector, less that after the same flow before anyone stalled; by client, of ${stalled} with us and of one with the peer. Ours in MiB is what counts: the ratio is to one MiB.`,
  seconds: 0,
  async run() {
    const measured: Measured[] = []
    for (const over of ['sse', 'websocket'] as const) {
      const own = await several(() => ofOurs(over, stalled))
      const others = await several(() => ofPlain(over))
      const text = (values: readonly number[]) => `${(median(values) / mebibyte).toFixed(2)} MiB`
      measured.push({
        part: over === 'sse' ? 'SSE' : 'WebSocket',
        ours: text(own),
        peer: text(others),
        ratio: median(own) / mebibyte,
        goal: { kind: 'at-most', ratio: 1 },
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

/** How much more our server needs by each of so many clients that do not read while one session says much. */
async function ofOurs(over: 'sse' | 'websocket', count: number): Promise<number> {
  using folder = createScratchFolder()
  await using server = await openFanout(join(folder.path, 'data'), 'journal', 1)
  await using reading = await startPart<EntriesAsked, EntriesTold>('entry-readers')
  await using crowd = await startPart<EntriesAsked, EntriesTold>('entry-readers')
  const [url = ''] = await server.liveUrls()
  const { headers } = server
  await reading.ask({ type: 'join', urls: [url], headers, over: 'sse', reads: true })
  const flow = async () => {
    await server.speak(5000, (total / piece / 5000) * 1000, piece)
    await sleep(2000)
  }
  // Twice: the first time the server grows to what such a flow takes.
  await flow()
  await flow()
  // What is said here goes past the catalogue, so whoever asks first makes the server read it all again: that is no stalled client's fault.
  const [live = ''] = await server.liveUrls()
  const socket = `${server.url}/api/ws?session=${server.sessions[0]}&${new URL(live).searchParams}`
  const urls = Array.from({ length: count }, () => (over === 'sse' ? live : socket))
  const before = (await server.memory()).used
  await crowd.ask({ type: 'join', urls, headers, over, reads: false })
  await flow()
  return ((await server.memory()).used - before) / count
}

async function ofPlain(over: 'sse' | 'websocket'): Promise<number> {
  await using server = await startPart<PlainAsked, PlainTold>('plain-server')
  await using crowd = await startPart<EntriesAsked, EntriesTold>('entry-readers')
  const { url } = await server.ask({ type: 'look' })
  const flow = async () => (await server.ask({ type: 'write', bytes: total, piece })).memory.used
  const before = await flow()
  await crowd.ask({ type: 'join', urls: [url], headers: {}, over, reads: false })
  return (await flow()) - before
}
