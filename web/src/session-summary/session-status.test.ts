import { expect, it } from 'vitest'
import { standingOf, standingWords, type Doing } from './session-status.ts'

it('[W1] a session is running, waiting, done, stopped, failed, or not started', () => {
  const standing = (status: Doing['status'], pending = 0, interactions = 1) =>
    standingOf({ status, awaitsPlace: null, ended: null, pending, interactions })
  expect(standing('running')).toBe('running')
  expect(standing('waiting', 1)).toBe('waiting')
  expect(standing('failed')).toBe('failed')
  expect(standing('idle')).toBe('done')
  expect(standing('idle', 0, 0)).toBe('new')
})

it('[W1] a session with a request from background work is waiting though nothing runs', () => {
  const idle = { status: 'idle', awaitsPlace: null, ended: 'finished', interactions: 3 } as const
  expect(standingOf({ ...idle, pending: 1 })).toBe('waiting')
  expect(standingWords.waiting).toBe('Waiting for approval')
})

it('[W1] a session stopped by a person or by its server is not done', () => {
  const idle = { status: 'idle', awaitsPlace: null, pending: 0, interactions: 1 } as const
  expect(standingOf({ ...idle, ended: 'interrupted' })).toBe('stopped')
  expect(standingOf({ ...idle, ended: 'finished' })).toBe('done')
  expect(standingOf({ ...idle, status: 'running', ended: null })).toBe('running')
  expect(standingOf({ ...idle, ended: 'interrupted', pending: 1 })).toBe('waiting')
})

it('[W1] a session that waits for a free slot is queued', () => {
  const running = { status: 'running', ended: null, pending: 0, interactions: 1 } as const
  expect(standingOf({ ...running, awaitsPlace: 8 })).toBe('queued')
  expect(standingOf({ ...running, awaitsPlace: null })).toBe('running')
  expect(standingOf({ ...running, status: 'idle', ended: 'finished', awaitsPlace: 8 })).toBe('done')
})
