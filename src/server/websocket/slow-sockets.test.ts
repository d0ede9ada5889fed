import { describe, expect, it } from 'vitest'
import { eventually, openServed, word } from '../streams/served.fixture.ts'
import { talk } from './talk.fixture.ts'

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

describe('a socket that does not read', () => {
  it('[R4] is closed when much is unread, and misses nothing after it reconnects', async () => {
    const served = await openServed({ limits: { heartbeatMs: 300, stallMs: 5000 } })
    const session = await served.filled('s', 1)
    const other = await talk(served)
    other.say({ type: 'follow', session, after: 0 })
    const one = await talk(served)
    one.say({ type: 'follow', session, after: 0 })
    await one.until(() => one.seqs(session).length === 2)
    one.socket.pause()
    const long = 'x'.repeat(100_000)
    for (let index = 0; index < 20; index++)
      await served.append(session, ...Array.from({ length: 10 }, () => word(long)))
    await other.until(() => other.seqs(session).at(-1) === 202)
    await eventually(() => served.dragoman.inside.parts.metrics.registry.text()).toContain(
      'dropped_slow_total{kind="websocket"} 1',
    )
    one.socket.resume()
    expect(await one.closed).toBe(4008)
    const last = one.seqs(session).at(-1) ?? 0
    expect(one.seqs(session)).toEqual(numbers(1, last))
    const again = await talk(served)
    again.say({ type: 'follow', session, after: last })
    await again.until(() => again.seqs(session).at(-1) === 202)
    expect(again.seqs(session)).toEqual(numbers(last + 1, 202))
  })

  it('[R4] may be slow: each of its sessions gets its turn', async () => {
    const served = await openServed({ limits: { heartbeatMs: 150 } })
    const big = await served.filled('big', 1)
    const long = 'x'.repeat(20_000)
    for (let index = 0; index < 20; index++)
      await served.append(big, ...Array.from({ length: 50 }, () => word(long)))
    const small = await served.filled('small', 3)
    const one = await talk(served)
    one.say({ type: 'follow', session: big, after: 0 })
    one.say({ type: 'follow', session: small, after: 0 })
    one.socket.pause()
    const { registry } = served.dragoman.inside.parts.metrics
    await eventually(() => registry.text()).toMatch(/backlog_bytes [1-9]/)
    one.socket.resume()
    await one.until(() => one.seqs(small).length === 4)
    expect(one.seqs(big).length).toBeLessThan(1002)
    await one.until(() => one.seqs(big).length === 1002)
    expect(one.seqs(big)).toEqual(numbers(1, 1002))
  })
})
