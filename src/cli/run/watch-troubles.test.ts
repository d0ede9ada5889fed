import { afterEach, expect, it, vi } from 'vitest'
import type { SessionId } from '../../protocol/ids.ts'
import { watchTroubles } from './watch-troubles.ts'

afterEach(() => void vi.useRealTimers())

const session = 's' as SessionId

/** Lets troubles that began at these moments be seen one after the other, and gives what was told. */
async function watched(moments: readonly number[]) {
  vi.useFakeTimers()
  let since = 0
  const told: string[] = []
  const giveUp = vi.fn<() => void>()
  const trouble = async () => (since === 0 ? null : { message: 'The disk is full.', since })
  using _watch = watchTroubles({ trouble }, session, { tell: sentence => told.push(sentence), giveUp })
  for (const now of moments) {
    since = now
    await vi.advanceTimersByTimeAsync(500)
  }
  return { told, giveUp }
}

it('[R2] tells once of each trouble with saving', async () => {
  const { told, giveUp } = await watched([0, 1, 1, 0, 2, 2])
  expect(told).toHaveLength(2)
  expect(told[0]).toContain('The disk is full. Retrying')
  expect(giveUp).not.toHaveBeenCalled()
})

it('[R2] does not wait for ever for a trouble to pass', async () => {
  const short = await watched(Array.from({ length: 20 }, () => 1))
  expect(short.giveUp).not.toHaveBeenCalled()
  const { told, giveUp } = await watched(Array.from({ length: 60 }, () => 1))
  expect(giveUp).toHaveBeenCalledOnce()
  expect(told).toEqual([
    expect.stringContaining('The disk is full.'),
    expect.stringContaining('the agent was stopped'),
  ])
})
