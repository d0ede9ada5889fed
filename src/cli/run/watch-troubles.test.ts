import { afterEach, expect, it, vi } from 'vitest'
import type { SessionId } from '../../protocol/ids.ts'
import { watchTroubles } from './watch-troubles.ts'

afterEach(() => void vi.useRealTimers())

it('[R2] tells once of each trouble with saving', async () => {
  vi.useFakeTimers()
  const session = 's' as SessionId
  let since = 0
  const told: string[] = []
  const trouble = async () => (since === 0 ? null : { message: 'The disk is full.', since })
  using _watch = watchTroubles({ trouble }, session, sentence => told.push(sentence))
  for (const now of [0, 1, 1, 0, 2, 2]) {
    since = now
    await vi.advanceTimersByTimeAsync(500)
  }
  expect(told).toHaveLength(2)
  expect(told[0]).toContain('The disk is full. Trying again')
})
