import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { created, journal, spoke, start, text } from '../../projections/journal.fixture.ts'
import type { Entry } from '../../protocol/entry.ts'
import { createClient, type ClientOptions } from '../create-client.ts'
import { createFakeServer } from '../fake-server.fixture.ts'
import { createFaultyNetwork, type Faults } from '../faulty-network.fixture.ts'
import type { EntryReader } from './connection.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

const calm: Faults = { drop: 0, duplicate: 0, delay: 0, cut: 0, fail: 0 }

/** A session with the given number of entries. */
const history = (count: number) =>
  journal(
    created(),
    ...Array.from({ length: count - 1 }, (_, at) => spoke('i', null, start('m'), ...text(`t${at}`, 'word'))),
  )

function setUp(count: number, options: ClientOptions = {}, faults = calm) {
  const server = createFakeServer(history(count))
  const network = createFaultyNetwork(server, faults, () => 0.5)
  const client = createClient({
    url: 'http://fake',
    fetch: network.fetch,
    WebSocket: network.WebSocket,
    random: () => 0.5,
    ...options,
  })
  const seen: Entry[] = []
  const told: string[] = []
  const reader: EntryReader = {
    entries: entries => void seen.push(...entries),
    reset: head => void told.push(`reset ${head}`),
    gone: reason => void told.push(`gone ${reason}`),
  }
  return { server, network, client, seen, told, reader }
}

const numbers = (entries: readonly Entry[]) => entries.map(({ seq }) => seq)
const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + 1 + at)
const wait = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

describe('followSession', () => {
  it.each(['websocket', 'sse'])(
    '[C1] fills the gap from every offset, in order and once, over %s',
    async way => {
      const { client, server, reader } = setUp(60, way === 'sse' ? { WebSocket: null } : {})
      for (let after = 0; after <= 60; after += 1) {
        const seen: Entry[] = []
        const following = client.follow('s', after, { ...reader, entries: each => void seen.push(...each) })
        await wait(10)
        following.stop()
        expect(seen).toEqual(JSON.parse(JSON.stringify(server.entries.slice(after))))
      }
      client.close()
    },
  )

  it('[C1] continues from the last entry after each lost connection, and delivers each entry once', async () => {
    const { client, server, network, reader, seen } = setUp(5)
    client.follow('s', 0, reader)
    for (let round = 0; round < 5; round += 1) {
      await wait(1000)
      network.unplug()
      server.write({ type: 'session-renamed', title: `while away ${round}` })
      network.restore()
      await wait(1000)
      server.write({ type: 'session-renamed', title: `while there ${round}` })
    }
    await wait(20_000)
    expect(numbers(seen)).toEqual(upTo(0, 15))
    expect(client.connection.get()).toMatchObject({ state: 'open', reconnects: 5 })
    client.close()
  })

  it('[C1] shares one socket among sessions and readers, and closes it with the last', async () => {
    const { client, network, reader, seen } = setUp(5)
    const later: Entry[] = []
    const first = client.follow('s', 3, reader)
    await wait(10)
    const second = client.follow('s', 0, { ...reader, entries: each => void later.push(...each) })
    await wait(10)
    expect(numbers(seen)).toEqual([4, 5])
    expect(numbers(later)).toEqual([1, 2, 3, 4, 5])
    expect(network.opened()).toBe(1)
    first.stop()
    expect(client.connection.get().state).toBe('open')
    second.stop()
    expect(client.connection.get().state).toBe('idle')
  })

  it('[C1] reports a reset when the journal ends earlier or is another one', async () => {
    const shorter = setUp(9)
    shorter.client.follow('s', 0, shorter.reader)
    await wait(10)
    shorter.network.unplug()
    shorter.server.lose(4)
    shorter.network.restore()
    await wait(20_000)
    expect(shorter.told).toEqual(['reset 5'])
    shorter.client.close()

    const other = setUp(9)
    other.client.follow('s', 0, other.reader)
    await wait(10)
    other.network.unplug()
    other.server.lose(4)
    for (let at = 0; at < 8; at += 1) other.server.write({ type: 'session-renamed', title: 'another life' })
    other.network.restore()
    await wait(20_000)
    expect(other.told).toEqual(['reset 9'])
    expect(numbers(other.seen)).toEqual(upTo(0, 9))
    other.client.close()
  })

  it('[C1] notices within 45 seconds that a socket is dead, and opens another', async () => {
    const { client, network, server, reader, seen } = setUp(3)
    client.follow('s', 0, reader)
    await wait(1000)
    network.swallow()
    await wait(46_000)
    expect(client.connection.get().state).not.toBe('open')
    network.restore()
    server.write({ type: 'session-renamed', title: 'after' })
    await wait(15_000)
    expect(numbers(seen)).toEqual([1, 2, 3, 4])
    client.close()
  })

  it('[C1] waits longer after each failure, up to a limit', async () => {
    const { client, network, reader } = setUp(3, { WebSocket: null })
    network.unplug()
    const asked: number[] = []
    const watched = createClient({
      url: 'http://fake',
      WebSocket: null,
      random: () => 1,
      fetch: () => {
        asked.push(Date.now())
        return Promise.reject(new TypeError('fetch failed'))
      },
    })
    watched.follow('s', 0, reader)
    await wait(60_000)
    const pauses = asked.slice(1).map((at, index) => at - (asked[index] ?? 0))
    expect(pauses.slice(0, 5)).toEqual([250, 500, 1000, 2000, 3000])
    expect(Math.max(...pauses)).toBe(3000)
    watched.close()
    client.close()
  })

  it('[C1] reconnects at once when the browser reports that the network is back', async () => {
    const target = new EventTarget()
    vi.stubGlobal('addEventListener', target.addEventListener.bind(target))
    vi.stubGlobal('removeEventListener', target.removeEventListener.bind(target))
    const { client, network, reader, seen } = setUp(3)
    network.unplug()
    client.follow('s', 0, reader)
    await wait(60_000)
    expect(seen).toEqual([])
    network.restore()
    target.dispatchEvent(new Event('online'))
    await wait(5)
    expect(numbers(seen)).toEqual([1, 2, 3])
    client.close()
    vi.unstubAllGlobals()
  })

  it('[C1] checks the connection at once when the browser reports that it is offline', async () => {
    const target = new EventTarget()
    vi.stubGlobal('addEventListener', target.addEventListener.bind(target))
    const { client, network, reader } = setUp(3)
    client.follow('s', 0, reader)
    await wait(1000)
    target.dispatchEvent(new Event('offline'))
    await wait(5)
    expect(client.connection.get()).toMatchObject({ state: 'open', reconnects: 1 })
    // Nothing arrives any more, and no error is reported.
    network.swallow()
    target.dispatchEvent(new Event('offline'))
    await wait(5)
    expect(client.connection.get().state).toBe('waiting')
    client.close()
    const opened = network.opened()
    target.dispatchEvent(new Event('online'))
    await wait(1000)
    expect(network.opened()).toBe(opened)
    vi.unstubAllGlobals()
  })

  it('[C1] follows over server-sent events where no WebSocket can be opened', async () => {
    const refused = function () {
      throw new Error('not here')
    }
    const { client, reader, seen } = setUp(3, { WebSocket: refused as never })
    client.follow('s', 0, reader)
    await wait(10)
    expect(numbers(seen)).toEqual([1, 2, 3])
    expect(client.connection.get()).toMatchObject({ state: 'open', transport: 'sse' })
    client.close()
  })
})
