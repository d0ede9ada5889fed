import { fork } from 'node:child_process'
import { once } from 'node:events'
import { isDeepStrictEqual } from 'node:util'
import { createRandom } from '../../bench/load/random.ts'
import { createClient, type Session } from '../../src/client/index.ts'
import type { Message } from '../../src/protocol/message.ts'
import { createCaller, type Caller } from '../caller.ts'
import type { Checks } from '../checks.ts'
import { flakyFetch, flakyWebSocket, weatherOf } from './flaky.ts'

const atOnce = 24
const patience = 20_000

interface Place {
  readonly url: string
  readonly token: string
}

/** Whatever the network does to a client, by seed, it ends with the state of the server. */
export async function schedules(folder: string, { check }: Checks, count: number): Promise<void> {
  const child = fork(new URL('./schedule-server.ts', import.meta.url), [folder])
  const [place] = (await once(child, 'message')) as [Place]
  const caller = createCaller(place)
  const faults: string[] = []
  let next = 1
  const work = async () => {
    for (let seed = next++; seed <= count; seed = next++) {
      const fault = await runSchedule(place, caller, seed)
      if (fault !== null) faults.push(`seed ${seed}: ${fault}`)
      if (seed % 1000 === 0) console.log(`  ${seed} schedules`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  child.kill()
  await once(child, 'exit')
  check(
    faults.length === 0,
    `${count} schedules of a bad network: ${faults.length} clients ended up with something else than the server ${faults.slice(0, 3).join('; ')}`,
  )
}

/** One session, one client behind a bad network, one prompt with a question in it; null when both agree in the end. */
async function runSchedule(place: Place, caller: Caller, seed: number): Promise<string | null> {
  const random = createRandom(seed)
  const weather = weatherOf(random)
  const name = `schedule-${seed}`
  await caller.call('POST', '/api/sessions', { id: name, agent: 'chatter' })
  using client = createClient({
    ...place,
    fetch: flakyFetch(weather, random),
    WebSocket: random() < 0.3 ? null : flakyWebSocket(weather, random),
    random,
    timing: {
      retryFirstMs: 1,
      retryMostMs: 20,
      throttleMs: 1,
      pingMs: 150,
      silenceMs: 1000,
      beatMs: 50,
      recheckMs: 200,
      openMs: 2000,
      callMs: 2000,
      lingerMs: 1,
    },
  })
  const session = client.session(name)
  const answered = new Set<string>()
  const stop = session.pendingApprovals.subscribe(pending => {
    for (const { id } of pending) {
      if (answered.has(id)) continue
      answered.add(id)
      void caller.call('POST', `/api/sessions/${name}/approvals/${id}`, { approved: random() < 0.7 })
    }
  })
  try {
    if (random() < 0.5) await new Promise(resolve => setTimeout(resolve, random() * 20))
    await caller.call('POST', `/api/sessions/${name}/prompts`, { text: 'talk' })
    return await agree(caller, name, session)
  } finally {
    stop()
  }
}

interface Snapshot {
  readonly session: { readonly status: string; readonly seq: number }
  readonly messages: readonly { readonly message: Message }[]
}

/** Waits until nothing runs and the client shows the state of the server. */
async function agree(caller: Caller, name: string, session: Session): Promise<string | null> {
  const begin = performance.now()
  let fault = 'nothing was compared'
  while (performance.now() - begin < patience) {
    const there = await caller.call<Snapshot>('GET', `/api/sessions/${name}/snapshot?limit=1000`)
    const isOver = there.session.status === 'idle' && there.messages.length === 2
    const here = session.state.get()
    const isSame = isDeepStrictEqual(
      JSON.parse(JSON.stringify(session.messages.get())),
      there.messages.map(({ message }) => message),
    )
    if (isOver && isSame && here.seq === there.session.seq && here.view.status.status === 'idle') return null
    fault = `the server has ${there.session.seq} entries and is ${there.session.status}, the client ${here.seq} and is ${here.view.status.status} (${here.phase}), ${isSame ? 'same' : 'other'} messages`
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  return fault
}
