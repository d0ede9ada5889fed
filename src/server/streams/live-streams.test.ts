import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ServerParts } from '../server-parts.ts'
import { defaultServerLimits } from '../limits.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { createLiveStreams, type LiveStream } from './live-streams.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function open(heartbeatMs = 60) {
  const metrics = createMetrics()
  const drainage = new AbortController()
  let at = 0
  const options = { limits: { ...defaultServerLimits, heartbeatMs } } as ServerParts['options']
  const streams = createLiveStreams({ options, metrics, draining: drainage.signal, now: () => at })
  onTestFinished(() => streams[Symbol.dispose]())
  const stream = () => {
    const seen = { beats: 0, still: [] as number[], drained: 0, waits: 0 }
    const live: LiveStream = {
      kind: 'sse',
      beat: () => void (seen.beats += 1),
      stalled: stillMs => void seen.still.push(stillMs),
      waiting: () => seen.waits,
      drain: () => void (seen.drained += 1),
    }
    return Object.assign(live, { seen })
  }
  return { streams, metrics, drainage, stream, pass: (ms: number) => void (at += ms) }
}

describe('createLiveStreams', () => {
  it('[R4] sends heartbeats to each stream at the same rate, for any number of streams', () => {
    const { streams, stream } = open(60)
    const many = Array.from({ length: 100 }, stream)
    for (const each of many) streams.enter(each)
    vi.advanceTimersByTime(60 * 4)
    const beats = many.map(({ seen }) => seen.beats)
    expect(new Set(beats)).toEqual(new Set([4]))
  })

  it('[R4] does not send heartbeats more often for one stream than for many', () => {
    const { streams, stream } = open(600)
    const one = stream()
    streams.enter(one)
    vi.advanceTimersByTime(599)
    expect(one.seen.beats).toBe(0)
    vi.advanceTimersByTime(1 + 600 / 15)
    expect(one.seen.beats).toBe(1)
  })

  it('[R4] measures how long a client that is behind has read nothing', async () => {
    const { streams, stream, pass, metrics } = open(15)
    const one = stream()
    streams.enter(one)
    one.seen.waits = 1000
    streams.park(one)
    vi.advanceTimersByTime(1)
    expect(one.seen.still).toEqual([0])
    pass(500)
    vi.advanceTimersByTime(1)
    expect(one.seen.still).toEqual([0, 500])
    expect(await metrics.registry.text()).toContain('backlog_bytes 1000')
    // It has read a little: the time starts over.
    one.seen.waits = 900
    vi.advanceTimersByTime(1)
    pass(200)
    vi.advanceTimersByTime(1)
    expect(one.seen.still).toEqual([0, 500, 200])
    streams.resume(one)
    vi.advanceTimersByTime(30)
    expect(one.seen.still).toHaveLength(3)
  })

  it('[O1] ends all streams once when the server stops, and counts open ones', async () => {
    const { streams, stream, drainage, metrics } = open()
    const [stays, leaves] = [stream(), stream()]
    streams.enter(stays)
    streams.enter(leaves)
    streams.leave(leaves)
    streams.leave(leaves)
    expect(streams.count('sse')).toBe(1)
    expect(await metrics.registry.text()).toContain('clients{kind="sse"} 1')
    drainage.abort()
    expect([stays.seen.drained, leaves.seen.drained]).toEqual([1, 0])
  })
})
