import { join as pathOf } from 'node:path'
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

/** The cost of saving everything before it is passed on, when many sessions stream to many clients. */
export const wideFanout: Bench = {
  name: 'wide-fanout',
  what: `${sessions} sessions × ${pace} events a second, one client each: the server's CPU for an event`,
  beside: 'the same server without storing',
  how: 'User and system time of all threads of the server, which parses, translates, saves, follows and writes to the socket. If a client misses an entry, the bench fails.',
  seconds: 0,
  async run() {
    using folder = createScratchFolder()
    await using saving = await openFanout(pathOf(folder.path, 'saving'), 'journal', sessions)
    await using passing = await openFanout(pathOf(folder.path, 'passing'), 'nothing', sessions)
    await using appending = await openFanout(pathOf(folder.path, 'appending'), 'file', sessions)
    await using ours = await join(saving)
    await using theirs = await join(passing)
    await using bare = await join(appending)
    const [own = [], others = [], least = []] = await interleave(rounds, [
      () => costOf(saving, ours),
      () => costOf(passing, theirs),
      () => costOf(appending, bare),
    ])
    const text = (values: readonly number[]) => `${median(values).toFixed(1)} µs`
    const goal = { kind: 'at-most', ratio: 1.3 } as const
    const note = `appending the same bytes to one file in a worker, with fdatasync, costs ${ratioOf(least, others).ratio.toFixed(2)} times as much as storing nothing`
    return [{ ours: text(own), peer: text(others), ...ratioOf(own, others), goal, note }]
  },
}

/** One client for each session. They stay for all rounds: a journal that only passes on has no past to come back to. */
async function join(server: Fanout): Promise<Part<EntriesAsked, EntriesTold>> {
  const clients = await startPart<EntriesAsked, EntriesTold>('entry-readers')
  const urls = await server.liveUrls()
  await clients.ask({ type: 'join', urls, headers: server.headers, over: 'sse', reads: true })
  return clients
}

async function costOf(server: Fanout, clients: Part<EntriesAsked, EntriesTold>): Promise<number> {
  const before = await clients.ask({ type: 'count' })
  const { events, cpuMicroseconds } = await server.speak(pace, slice)
  let told = await clients.ask({ type: 'count' })
  for (let tries = 0; told.entries - before.entries < events && tries < 50; tries++) {
    await sleep(100)
    told = await clients.ask({ type: 'count' })
  }
  const came = told.entries - before.entries
  if (came !== events || told.faults > 0)
    throw new Error(`Of ${events} entries ${came} came, ${told.faults} out of order.`)
  return cpuMicroseconds / events
}
