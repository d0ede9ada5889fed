import { WebSocket } from 'ws'
import type { Checks } from '../checks.ts'
import { createCaller } from '../caller.ts'
import type { ServerProcess } from '../server-process.ts'

const sessions = 20

/** A client that knows only how to follow and to come back. */
interface Follower {
  seq: number
  /** Entries that came out of order, twice, or after a hole. */
  faults: number
  socket: WebSocket | null
}

/** All clients drop at once while sessions stream, and return within a second: each catches up, and none misses anything. */
export async function storm(server: ServerProcess, { check }: Checks, clients: number): Promise<void> {
  const caller = createCaller(server)
  const name = (at: number) => `storm-${at % sessions}`
  const text = Array.from({ length: 20_000 }, (_, at) => `word${at}`).join(' ')
  for (let at = 0; at < sessions; at++)
    await caller.createSession(name(at), [{ type: 'text', text, every: 40 }], 1)
  for (let at = 0; at < sessions; at++) await caller.prompt(name(at))

  const followers = Array.from({ length: clients }, (): Follower => ({ seq: 0, faults: 0, socket: null }))
  const join = (follower: Follower, at: number) => follow(server, caller.headers, name(at), follower)
  await inWaves(followers, join)
  await pause(1000)
  for (const { socket } of followers) socket?.terminate()
  const seen = followers.map(({ seq }) => seq)
  const dropped = performance.now()
  await Promise.all(
    followers.map(async (follower, at) => {
      await pause(Math.random() * 1000)
      await join(follower, at)
    }),
  )
  const delays = await caughtUp(caller, followers, name, dropped)
  check(
    delays.length === clients,
    `${clients} clients dropped and came back: ${delays.length} caught up, the slowest after ${Math.round(delays.at(-1) ?? 0)} ms`,
  )
  check(
    followers.some(({ seq }, at) => seq > (seen[at] ?? 0)),
    'and there was something to catch up with',
  )
  for (let at = 0; at < sessions; at++) {
    await caller.call('POST', `/api/sessions/${name(at)}/interrupt`, {})
    await caller.whenIdle(name(at))
  }
  await caughtUp(caller, followers, name, dropped)
  const faults = followers.reduce((sum, each) => sum + each.faults, 0)
  check(faults === 0, `${faults} entries missing, doubled or out of order`)
  for (const { socket } of followers) socket?.terminate()
}

/** Waits until each client has what the server had when it was asked; gives how long each took. */
async function caughtUp(
  caller: ReturnType<typeof createCaller>,
  followers: readonly Follower[],
  name: (at: number) => string,
  since: number,
): Promise<readonly number[]> {
  const heads = new Map<string, number>()
  for (let at = 0; at < sessions; at++) {
    const path = `/api/sessions/${name(at)}/entries?limit=1`
    heads.set(name(at), (await caller.call<{ head: number }>('GET', path)).head)
  }
  const delays = new Map<Follower, number>()
  for (let tries = 0; tries < 400 && delays.size < followers.length; tries++) {
    for (const [at, follower] of followers.entries())
      if (!delays.has(follower) && follower.seq >= (heads.get(name(at)) ?? 0))
        delays.set(follower, performance.now() - since)
    await pause(25)
  }
  return [...delays.values()].toSorted((a, b) => a - b)
}

function follow(
  { url }: ServerProcess,
  headers: Readonly<Record<string, string>>,
  session: string,
  follower: Follower,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/ws`, { headers })
    follower.socket = socket
    socket.on('open', () => {
      socket.send(JSON.stringify({ type: 'follow', session, after: follower.seq }))
      resolve()
    })
    socket.on('message', (data: Buffer) => {
      const { entries = [] } = JSON.parse(data.toString()) as { entries?: { seq: number }[] }
      for (const { seq } of entries) {
        if (seq !== follower.seq + 1) follower.faults += 1
        follower.seq = seq
      }
    })
    socket.on('error', reject)
  })
}

async function inWaves(
  followers: readonly Follower[],
  join: (follower: Follower, at: number) => Promise<void>,
) {
  for (let at = 0; at < followers.length; at += 100)
    await Promise.all(followers.slice(at, at + 100).map((follower, no) => join(follower, at + no)))
}

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))
