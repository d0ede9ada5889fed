import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { SessionSummary } from '../projections/summary.ts'
import { openHouse } from './house.fixture.ts'
import { createPuppet } from './puppet.fixture.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
afterEach(() => void vi.useRealTimers())

it('[J6] those who watch hear of each session that a list would show otherwise, and end where it ends', async () => {
  const house = await openHouse([createPuppet()], { limits: { watchMs: 5 } })
  await using sessions = house.sessions
  const heard: SessionSummary[] = []
  const watch = sessions.watch(summary => void heard.push(summary))
  const session = await house.create('a')
  await house.create('b')
  await house.prompt(session, 'hello')
  await sessions.whenIdle(session)
  await vi.advanceTimersByTimeAsync(20)
  expect(heard.map(each => [each.session, each.status]).slice(0, 2)).toEqual([
    ['a', 'idle'],
    ['b', 'idle'],
  ])
  const { queue: _, trouble: __, ...summary } = await sessions.get(session)
  const last = heard.at(-1)
  // TranslatedLine that came after the last change are not worth telling.
  expect(last).toEqual({ ...summary, seq: last?.seq, updatedAt: last?.updatedAt })
  await sessions.execute({ type: 'delete', session })
  await vi.advanceTimersByTimeAsync(20)
  expect(heard.at(-1)).toMatchObject({ session: 'a', deleted: true })
  watch[Symbol.dispose]()
  const count = heard.length
  await house.create('c')
  await vi.advanceTimersByTimeAsync(20)
  expect(heard).toHaveLength(count)
})

it('[J6] a session that changes all the time is told of now and then, and its last state always', async () => {
  const watchMs = 30
  const house = await openHouse([createPuppet()], { limits: { watchMs } })
  await using sessions = house.sessions
  const session = await house.create('a')
  const heard: (readonly [at: number, title: string | null])[] = []
  using _ = sessions.watch(({ title }) => void heard.push([Date.now(), title]))
  for (let title = 0; title < 100; title += 1) {
    await sessions.execute({ type: 'rename', session, title: `${title}` })
    if (title % 10 === 0) await vi.advanceTimersByTimeAsync(4)
  }
  await vi.advanceTimersByTimeAsync(watchMs * 3)
  expect(heard.at(-1)?.[1]).toBe('99')
  expect(heard.length).toBe(3)
  for (const [index, [at]] of heard.slice(1).entries())
    expect(at - (heard[index]?.[0] ?? 0)).toBeGreaterThanOrEqual(watchMs)
})

it('[R2] a watcher that fails stops no session and no other watcher', async () => {
  const house = await openHouse([createPuppet()], { limits: { watchMs: 1 } })
  await using sessions = house.sessions
  const heard: string[] = []
  using _ = sessions.watch(() => {
    throw new Error('no ears')
  })
  using __ = sessions.watch(summary => void heard.push(summary.session))
  await house.create('a')
  await house.create('b')
  expect(heard).toEqual(['a', 'b'])
})
