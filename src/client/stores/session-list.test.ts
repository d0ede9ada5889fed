import { expect, it, onTestFinished } from 'vitest'
import type { ListedSession } from '../follow/source.ts'
import { createClient } from '../create-client.ts'

const count = 1200

const sessionAt = (index: number): ListedSession => ({
  id: `s${index}`,
  agent: 'scripted',
  cwd: '/work',
  title: `Session ${index}`,
  status: 'idle',
  archived: false,
  deleted: false,
  pinned: false,
  agentSession: null,
  handedOver: null,
  awaitsPlace: null,
  model: null,
  gitBranch: null,
  cost: null,
  estimatedCost: 1,
  tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  interactions: 1,
  running: null,
  ended: 'finished',
  pending: 0,
  branch: null,
  createdAt: count - index,
  updatedAt: 0,
  seq: 1,
})

/** A list of 1,200 sessions on a fake server, and how many sessions each request asked for. */
function openList() {
  const asked: [limit: number, from: number][] = []
  const fetch = async (address: RequestInfo | URL) => {
    const { pathname, searchParams } = new URL(address as string)
    if (pathname !== '/api/sessions' || searchParams.has('status')) return new Promise<Response>(() => {})
    const [limit, from] = [Number(searchParams.get('limit')), Number(searchParams.get('cursor') ?? 0)]
    asked.push([limit, from])
    const to = Math.min(count, from + limit)
    const sessions = Array.from({ length: to - from }, (_, index) => sessionAt(from + index))
    return Response.json({ sessions, next: to < count ? String(to) : null })
  }
  const client = createClient({ url: 'http://fake', fetch, WebSocket: null, storage: new Map() })
  const list = client.sessions()
  const stop = list.subscribe(() => {})
  onTestFinished(() => {
    stop()
    client.close()
  })
  return { list, asked }
}

it('[C1] a long list is loaded in a few steps, each session once', async () => {
  const { list, asked } = openList()
  await expect.poll(() => list.get().loading).toBe(false)
  for (const length of [150, 350, 750, 1200]) {
    expect(list.get().hasMore).toBe(true)
    list.loadMore()
    await expect.poll(() => list.get().sessions.length).toBe(length)
  }
  expect(list.get().hasMore).toBe(false)
  expect(asked.length).toBeLessThan(9)
  expect(new Set(list.get().sessions.map(({ id }) => id)).size).toBe(count)
})
