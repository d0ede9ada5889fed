import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Measured } from './harness/bench.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'
import { median } from './harness/statistics.ts'
import type { EntriesAsked, EntriesTold } from './wire/entries-asked.ts'
import { openFanout } from './wire/open-fanout.ts'
import { startPart, type Part } from './wire/part.ts'
import type { PlainAsked, PlainTold } from './wire/plain-asked.ts'

const clients = 9000
const rounds = 3

/**
 * Both servers get a small nursery: its size follows how much was made lately, not how many clients are held, and
 * between two runs of the same server it was 4 MB or 67.
 */
const flags = ['--max-semi-space-size=2']

/** The cost of a client that only waits. */
export const idleClients: Bench = {
  name: 'idle-clients',
  what: `memory of an idle client (${clients} of them, each following a session)`,
  beside: 'plain node:http and ws',
  how: 'Resident memory of a new server before and after the clients join, after garbage collection, with a young generation of 2 MB. The median of three servers each.',
  seconds: 0,
  async run() {
    const measured: Measured[] = []
    for (const over of ['sse', 'websocket'] as const) {
      const own: number[] = []
      const others: number[] = []
      for (let round = 0; round < rounds; round++) {
        own.push(await costOfOurs(over))
        others.push(await costOfPlain(over))
      }
      const text = (values: readonly number[]) => `${(median(values) / 1024).toFixed(1)} KiB`
      const goal = { kind: 'at-most', ratio: 1.3 } as const
      const part = over === 'sse' ? 'SSE' : 'WebSocket'
      measured.push({ part, ours: text(own), peer: text(others), ratio: median(own) / median(others), goal })
    }
    return measured
  },
}

type Over = 'sse' | 'websocket'

async function costOfOurs(over: Over): Promise<number> {
  using folder = createScratchFolder()
  await using server = await openFanout(join(folder.path, 'data'), 'journal', 10, flags)
  const live = await server.liveUrls()
  const urls = Array.from({ length: clients }, (_, at) => {
    if (over === 'sse') return live[at % live.length] ?? ''
    return `${server.url}/api/ws?session=${server.sessions[at % live.length]}&after=1`
  })
  return await grown(async () => (await server.memory()).resident, { urls, headers: server.headers, over })
}

async function costOfPlain(over: Over): Promise<number> {
  await using server = await startPart<PlainAsked, PlainTold>('plain-server', flags)
  const { url } = await server.ask({ type: 'look' })
  const look = async () => (await server.ask({ type: 'look' })).memory.resident
  return await grown(look, { urls: Array.from({ length: clients }, () => url), headers: usual, over })
}

/** Any server must keep what our clients send along. */
const usual = { authorization: `Bearer ${'x'.repeat(43)}`, 'content-type': 'application/json' }

interface Crowd {
  readonly urls: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly over: Over
}

/** How much a server grows by each client; a hundred have been there before, so that all code is warm. */
async function grown(memory: () => Promise<number>, { urls, headers, over }: Crowd): Promise<number> {
  await using crowd: Part<EntriesAsked, EntriesTold> = await startPart('entry-readers')
  await crowd.ask({ type: 'join', urls: urls.slice(0, 100), headers, over, reads: true })
  await sleep(2000)
  const before = await memory()
  await crowd.ask({ type: 'join', urls: urls.slice(100), headers, over, reads: true })
  await sleep(2000)
  return ((await memory()) - before) / (urls.length - 100)
}
