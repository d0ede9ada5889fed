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

/** The cost of a client that has stopped reading while much is streamed. */
export const stalledClient: Bench = {
  name: 'stalled-client',
  what: `memory cost of a client that does not read while ${total / mebibyte} MB are sent`,
  beside: 'plain node:http and ws',
  how: `The memory in use (heap and buffers, after garbage collection) after the data was sent, minus the memory after the same data without stalled clients. It is given per client: we have ${stalled} stalled clients, the peer has one. The ratio is our memory divided by 1 MiB.`,
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

/** How much more memory our server needs for each of many clients that do not read while one session streams much. */
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
  // Twice: the first time the server grows to the size that such a flow needs.
  await flow()
  await flow()
  // These entries bypass the catalogue, so the first call makes the server read them all again. That is not the cost of a stalled client.
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
