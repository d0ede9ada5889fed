import { afterEach, expect, it, vi } from 'vitest'
import type { SessionId } from '../../protocol/ids.ts'
import { watchTroubles } from './watch-troubles.ts'

afterEach(() => void vi.useRealTimers())

const session = 's' as SessionId

/** Watches troubles that began at these moments, one after the other, and returns the reports. */
async function watched(moments: readonly number[]) {
  vi.useFakeTimers()
  let since = 0
  const reports: string[] = []
  const giveUp = vi.fn<() => void>()
  const trouble = async () => (since === 0 ? null : { message: 'The disk is full.', since })
  using _watch = watchTroubles({ trouble }, session, { report: sentence => reports.push(sentence), giveUp })
  for (const now of moments) {
    since = now
    await vi.advanceTimersByTimeAsync(500)
  }
  return { reports, giveUp }
}

it('[R2] reports each problem with saving once', async () => {
  const { reports, giveUp } = await watched([0, 1, 1, 0, 2, 2])
  expect(reports).toHaveLength(2)
  expect(reports[0]).toContain('The disk is full. Retrying')
  expect(giveUp).not.toHaveBeenCalled()
})

it('[R2] stops waiting when saving fails for too long', async () => {
  const short = await watched(Array.from({ length: 20 }, () => 1))
  expect(short.giveUp).not.toHaveBeenCalled()
  const { reports, giveUp } = await watched(Array.from({ length: 60 }, () => 1))
  expect(giveUp).toHaveBeenCalledOnce()
  expect(reports).toEqual([
    expect.stringContaining('The disk is full.'),
    expect.stringContaining('the agent was stopped'),
  ])
})
