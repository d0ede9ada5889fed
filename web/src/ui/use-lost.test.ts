import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ConnectionState } from 'dragoman/client'
import { createWritable } from 'dragoman/client/readable'
import { patience, watchLoss } from './use-lost.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1000 }))
afterEach(() => void vi.useRealTimers())

const open: ConnectionState = { state: 'open', transport: 'websocket', reconnects: 0, problem: null }
const waiting: ConnectionState = { ...open, state: 'waiting', problem: 'It closed.' }
const connecting: ConnectionState = { ...waiting, state: 'connecting' }

it('[W7] a loss is told once it lasts, with the moment at which it began, until it is over', () => {
  const connection = createWritable<ConnectionState>(open)
  const loss = watchLoss(connection)
  const told: (number | null)[] = []
  const stop = loss.subscribe(each => told.push(each))
  connection.set(waiting)
  vi.advanceTimersByTime(patience - 1)
  connection.set(connecting)
  expect(told).toEqual([null])
  vi.advanceTimersByTime(1)
  connection.set(waiting)
  vi.advanceTimersByTime(60_000)
  expect(told).toEqual([null, 1000])
  connection.set(connecting)
  connection.set(open)
  expect(told).toEqual([null, 1000, null])
  stop()
})

it('[W7] what passes in a moment is not told, and nothing is before anything was tried', () => {
  const connection = createWritable<ConnectionState>({ ...open, state: 'connecting' })
  const told: (number | null)[] = []
  const stop = watchLoss(connection).subscribe(each => told.push(each))
  for (let times = 0; times < 5; times += 1) {
    connection.set(waiting)
    vi.advanceTimersByTime(patience - 100)
    connection.set(open)
    vi.advanceTimersByTime(1000)
  }
  expect(told).toEqual([null])
  stop()
})
