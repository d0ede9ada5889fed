import { expect, it } from 'vitest'
import { standingOf, standingWords } from './session-status.ts'

it('[W1] a session runs, waits for a person, is done, failed, or has not begun', () => {
  const standing = (status: 'idle' | 'running' | 'waiting' | 'failed', pending = 0, interactions = 1) =>
    standingOf({ status, pending, interactions })
  expect(standing('running')).toBe('running')
  expect(standing('waiting', 1)).toBe('waiting')
  expect(standing('failed')).toBe('failed')
  expect(standing('idle')).toBe('done')
  expect(standing('idle', 0, 0)).toBe('new')
})

it('[W1] a question of background work waits for a person though nothing runs', () => {
  expect(standingOf({ status: 'idle', pending: 1, interactions: 3 })).toBe('waiting')
  expect(standingWords.waiting).toBe('Waiting for you')
})
