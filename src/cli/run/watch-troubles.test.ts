import { afterEach, expect, it, vi } from 'vitest'
import type { SessionId } from '../../protocol/ids.ts'
import { watchTroubles } from './watch-troubles.ts'

afterEach(() => void vi.useRealTimers())

it('[R2] tells once of each trouble with saving', () => {
  vi.useFakeTimers()
  const session = 's' as SessionId
  let since = 0
  const told: string[] = []
  const troubles = () =>
    since === 0 ? [] : [{ session, code: 'disk-full' as const, message: 'The disk is full.', since }]
  using _watch = watchTroubles({ troubles }, session, sentence => told.push(sentence))
  for (const now of [0, 1, 1, 0, 2, 2]) {
    since = now
    vi.advanceTimersByTime(500)
  }
  expect(told).toHaveLength(2)
  expect(told[0]).toContain('The disk is full. Trying again')
})
