import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ConnectionState } from 'dragoman/client'
import { createWritable } from 'dragoman/client/readable'
import { patience, watchLoss } from './use-lost.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1000 }))
afterEach(() => void vi.useRealTimers())

const open: ConnectionState = { state: 'open', transport: 'websocket', reconnects: 0, problem: null }
const waiting: ConnectionState = { ...open, state: 'waiting', problem: 'It closed.' }
const connecting: ConnectionState = { ...waiting, state: 'connecting' }

it('[W7] a lost connection is reported after a moment, with its start time, until it is back', () => {
  const connection = createWritable<ConnectionState>(open)
  const loss = watchLoss(connection)
  const reported: (number | null)[] = []
  const stop = loss.subscribe(each => reported.push(each))
  connection.set(waiting)
  vi.advanceTimersByTime(patience - 1)
  connection.set(connecting)
  expect(reported).toEqual([null])
  vi.advanceTimersByTime(1)
  connection.set(waiting)
  vi.advanceTimersByTime(60_000)
  expect(reported).toEqual([null, 1000])
  connection.set(connecting)
  connection.set(open)
  expect(reported).toEqual([null, 1000, null])
  stop()
})

it('[W7] a short interruption is not reported, nor anything before the first attempt', () => {
  const connection = createWritable<ConnectionState>({ ...open, state: 'connecting' })
  const reported: (number | null)[] = []
  const stop = watchLoss(connection).subscribe(each => reported.push(each))
  for (let times = 0; times < 5; times += 1) {
    connection.set(waiting)
    vi.advanceTimersByTime(patience - 100)
    connection.set(open)
    vi.advanceTimersByTime(1000)
  }
  expect(reported).toEqual([null])
  stop()
})
