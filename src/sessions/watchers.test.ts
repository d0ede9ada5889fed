import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { SessionSummary } from '../projections/summary.ts'
import { openHouse } from './house.fixture.ts'
import { createPuppet } from './puppet.fixture.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
afterEach(() => void vi.useRealTimers())

it('[J6] a watcher is called for each session whose listed fields change, and ends with the final state', async () => {
  const house = await openHouse([createPuppet()], { limits: { watchMs: 5 } })
  await using sessions = house.sessions
  const reported: SessionSummary[] = []
  const watch = sessions.watch(summary => void reported.push(summary))
  const session = await house.create('a')
  await house.create('b')
  await house.prompt(session, 'hello')
  await sessions.whenIdle(session)
  await vi.advanceTimersByTimeAsync(20)
  expect(reported.map(each => [each.session, each.status]).slice(0, 2)).toEqual([
    ['a', 'idle'],
    ['b', 'idle'],
  ])
  const { queue: _, trouble: __, options: ___, ...summary } = await sessions.get(session)
  const last = reported.at(-1)
  // Entries after the last listed change are not reported.
  expect(last).toEqual({ ...summary, seq: last?.seq, updatedAt: last?.updatedAt })
  await sessions.execute({ type: 'delete', session })
  await vi.advanceTimersByTimeAsync(20)
  expect(reported.at(-1)).toMatchObject({ session: 'a', deleted: true })
  watch[Symbol.dispose]()
  const count = reported.length
  await house.create('c')
  await vi.advanceTimersByTimeAsync(20)
  expect(reported).toHaveLength(count)
})

it('[J6] a session that changes all the time is reported at intervals, and always with its last state', async () => {
  const watchMs = 30
  const house = await openHouse([createPuppet()], { limits: { watchMs } })
  await using sessions = house.sessions
  const session = await house.create('a')
  const reported: (readonly [at: number, title: string | null])[] = []
  using _ = sessions.watch(({ title }) => void reported.push([Date.now(), title]))
  for (let title = 0; title < 100; title += 1) {
    await sessions.execute({ type: 'rename', session, title: `${title}` })
    if (title % 10 === 0) await vi.advanceTimersByTimeAsync(4)
  }
  await vi.advanceTimersByTimeAsync(watchMs * 3)
  expect(reported.at(-1)?.[1]).toBe('99')
  expect(reported.length).toBe(3)
  for (const [index, [at]] of reported.slice(1).entries())
    expect(at - (reported[index]?.[0] ?? 0)).toBeGreaterThanOrEqual(watchMs)
})

it('[R2] a watcher that throws does not affect sessions or other watchers', async () => {
  const house = await openHouse([createPuppet()], { limits: { watchMs: 1 } })
  await using sessions = house.sessions
  const reported: string[] = []
  using _ = sessions.watch(() => {
    throw new Error('no ears')
  })
  using __ = sessions.watch(summary => void reported.push(summary.session))
  await house.create('a')
  await house.create('b')
  expect(reported).toEqual(['a', 'b'])
})
