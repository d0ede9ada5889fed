import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from './harness/bench.ts'
import { interleave, ratioOf } from './harness/interleave.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'
import { median } from './harness/statistics.ts'
import type { EntriesAsked, EntriesTold } from './wire/entries-asked.ts'
import { openFanout, type Fanout } from './wire/open-fanout.ts'
import { startPart, type Part } from './wire/part.ts'

const rounds = 5
const sessions = 1000
const pace = 50
const slice = 3000

/** What it costs that everything is saved before it is passed on, when many sessions speak to many clients. */
export const wideFanout: Bench = {
  name: 'wide-fanout',
  what: `${sessions} sessions × ${pace} events a second, one client each: the server's CPU for an event`,
  beside: 'the same server without storing',
  how: 'Parse, translate, save, follow, write to the socket; user and system time of all threads of the server. A round in which a client missed an entry does not count: it ends the bench.',
  seconds: 0,
  async run() {
    using folder = createScratchFolder()
    await using saving = await openFanout(join(folder.path, 'saving'), true, sessions)
    await using passing = await openFanout(join(folder.path, 'passing'), false, sessions)
    await using clients = await startPart<EntriesAsked, EntriesTold>('entry-readers')
    const [own = [], others = []] = await interleave(rounds, [
      () => costOf(saving, clients),
      () => costOf(passing, clients),
    ])
    const text = (values: readonly number[]) => `${median(values).toFixed(1)} µs`
    const goal = { kind: 'at-most', ratio: 1.1 } as const
    return [{ ours: text(own), peer: text(others), ...ratioOf(own, others), goal }]
  },
}

async function costOf(server: Fanout, clients: Part<EntriesAsked, EntriesTold>): Promise<number> {
  await clients.ask({
    type: 'join',
    urls: await server.liveUrls(),
    headers: server.headers,
    over: 'sse',
    reads: true,
  })
  const { events, cpuMicroseconds } = await server.speak(pace, slice)
  let told = await clients.ask({ type: 'count' })
  for (let tries = 0; told.entries < events && tries < 50; tries++) {
    await sleep(100)
    told = await clients.ask({ type: 'count' })
  }
  if (told.entries !== events || told.faults > 0)
    throw new Error(`Of ${events} entries ${told.entries} came, ${told.faults} out of order.`)
  await clients.ask({ type: 'leave' })
  return cpuMicroseconds / events
}
