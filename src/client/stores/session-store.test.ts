import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  call,
  created,
  ended,
  finish,
  journal,
  output,
  spoke,
  start,
  started,
  text,
} from '../../projections/journal.fixture.ts'
import type { Event } from '../../protocol/event.ts'
import { createClient, type ClientOptions } from '../create-client.ts'
import { createFakeServer } from '../fake-server.fixture.ts'
import { createFaultyNetwork } from '../faulty-network.fixture.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

const wait = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
const delta = (id: string, words: string): Event => spoke('i', null, { type: 'text-delta', id, delta: words })

function setUp(events: readonly Event[], options: ClientOptions = {}) {
  const server = createFakeServer(journal(...events))
  const network = createFaultyNetwork(server, { drop: 0, duplicate: 0, delay: 0, cut: 0, fail: 0 }, () => 0.5)
  const { fetch, WebSocket } = network
  const client = createClient({ url: 'http://fake', fetch, WebSocket, random: () => 0.5, ...options })
  return { server, network, client, session: client.session('s') }
}

const talking = [
  created(),
  started('i'),
  spoke('i', null, start('m'), { type: 'text-start', id: 'a' }, { type: 'text-start', id: 'b' }),
]

describe('a session of a client', () => {
  it('[C3] updates at most every 50 ms, and at once after a pause', async () => {
    const { server, session, client } = setUp(talking)
    let looks = 0
    session.messages.subscribe(() => (looks += 1))
    await wait(1000)
    looks = 0
    for (let at = 0; at < 200; at += 1) {
      server.write(delta('a', 'x'))
      await wait(5)
    }
    expect(looks).toBeGreaterThan(15)
    expect(looks).toBeLessThanOrEqual(21)
    await wait(100)
    looks = 0
    server.write(delta('a', 'y'))
    await wait(1)
    expect(looks).toBe(1)
    client.close()
  })

  it('[C1] shows the parts that are streaming, and keeps the other objects', async () => {
    const { server, session, client } = setUp(talking)
    session.streaming.subscribe(() => {})
    await wait(100)
    const [first, second] = session.streaming.get()
    expect([first, second]).toMatchObject([
      { message: 'm', index: 0, thread: null },
      { message: 'm', index: 1 },
    ])
    server.write(delta('b', 'words'))
    await wait(100)
    expect(session.streaming.get()[0]).toBe(first)
    expect(session.streaming.get()[1]).toMatchObject({ part: { type: 'text', text: 'words' } })
    const before = session.streaming.get()
    server.write({ type: 'session-renamed', title: 'Other' })
    await wait(1000)
    expect(session.streaming.get()).toBe(before)
    server.write(spoke('i', null, { type: 'text-end', id: 'a' }, { type: 'text-end', id: 'b' }, finish))
    await wait(100)
    expect(session.streaming.get()).toEqual([])
    client.close()
  })

  it('[T4] loads a new snapshot after a late result, and keeps unchanged messages', async () => {
    const { server, network, session, client } = setUp([
      created(),
      started('i'),
      spoke('i', null, start('m1'), call('c'), finish),
      ended('i'),
      started('j', 'again'),
      spoke('j', null, start('m2'), ...text('t', 'Hi'), finish),
      ended('j'),
    ])
    session.messages.subscribe(() => {})
    await wait(100)
    const before = session.messages.get()
    server.write(spoke('i', null, start('m1'), output('c', 'late'), finish))
    await wait(1000)
    const after = session.messages.get()
    expect(after[1]?.parts).toMatchObject([{ state: 'output-available', output: 'late' }])
    for (const at of [0, 2, 3]) expect(after[at]).toBe(before[at])
    expect(network.opened()).toBe(1)
    server.write({ type: 'session-renamed', title: 'Later' })
    await wait(1000)
    expect(session.state.get()).toMatchObject({ phase: 'live', seq: 9, facts: { title: 'Later' } })
    client.close()
  })

  it('[T4] loads a new snapshot when the server lost entries that it had sent', async () => {
    const { server, network, session, client } = setUp(talking)
    session.facts.subscribe(() => {})
    for (const words of ['one', 'two', 'three']) server.write(delta('a', words))
    await wait(1000)
    network.unplug()
    server.lose(2)
    for (const words of ['uno', 'due', 'tre', 'quattro']) server.write(delta('a', words))
    network.restore()
    await wait(20_000)
    expect(session.messages.get()[1]?.parts[0]).toMatchObject({ text: 'oneunoduetrequattro' })
    expect(session.state.get().seq).toBe(8)
    client.close()
  })

  it('[T4] does not show an old message as new after a late result', async () => {
    const events = [
      created(),
      started('i'),
      spoke('i', null, start('m'), call('c'), finish),
      ended('i'),
      started('j', 'again'),
    ]
    const { server, session, client } = setUp(events, { pageSize: 1 })
    session.messages.subscribe(() => {})
    await wait(100)
    expect(session.messages.get().map(({ id }) => id)).toEqual(['prompt-j'])
    server.write(spoke('i', null, start('m'), output('c', 'late'), finish))
    server.write(spoke('j', null, start('n'), ...text('t', 'Hi'), finish))
    await wait(1000)
    expect(session.messages.get().map(({ id }) => id)).toEqual(['prompt-j', 'n'])
    client.close()
  })

  it('[C1] retries while the server is away, and reports the problem', async () => {
    const { network, session, client } = setUp(talking)
    network.unplug()
    session.state.subscribe(() => {})
    await wait(20_000)
    expect(session.state.get()).toMatchObject({ phase: 'loading', problem: 'The server cannot be reached.' })
    network.restore()
    await wait(20_000)
    expect(session.state.get()).toMatchObject({ phase: 'live', problem: null, seq: 3 })
    network.unplug()
    await wait(10)
    expect(session.debug.get()).toMatchObject({ phase: 'catching-up', connection: { state: 'waiting' } })
    network.restore()
    await wait(20_000)
    expect(session.debug.get()).toMatchObject({ phase: 'live', connection: { state: 'open', reconnects: 1 } })
    client.close()
  })

  it('[C1] reports a missing session and a refused token', async () => {
    const refuse = (code: string) => async () =>
      Response.json({ code, detail: `It is ${code}.` }, { status: 404 })
    const gone = setUp(talking, { fetch: refuse('unknown-session') })
    gone.session.state.subscribe(() => {})
    await wait(100)
    expect(gone.session.state.get()).toMatchObject({ phase: 'gone', problem: 'It is unknown-session.' })
    const stranger = setUp(talking, { fetch: refuse('not-authenticated') })
    stranger.session.state.subscribe(() => {})
    await wait(100)
    expect(stranger.session.state.get()).toMatchObject({
      phase: 'failed',
      problem: 'It is not-authenticated.',
    })
  })

  it('[C1] loads nothing after the session is deleted, and loads it when it is restored', async () => {
    let asked = 0
    const listen: typeof fetch = (...given) => {
      asked += 1
      return network.fetch(...given)
    }
    const { server, network, session, client } = setUp(talking, { fetch: listen })
    session.state.subscribe(() => {})
    await wait(1000)
    asked = 0
    server.write({ type: 'session-renamed', title: 'Other' })
    await wait(1)
    const once = asked
    // The second has to wait a while, and in it the session is deleted.
    server.write({ type: 'session-renamed', title: 'Another' })
    server.write({ type: 'session-deleted' })
    await wait(5000)
    expect([once, asked]).toEqual([2, 2])
    server.write({ type: 'session-undeleted' })
    await wait(5000)
    expect(asked).toBe(4)
    client.close()
  })

  it('[C1] stays open for a moment after the last subscriber left', async () => {
    const { network, session, client } = setUp(talking)
    const stop = session.messages.subscribe(() => {})
    await wait(100)
    stop()
    await wait(500)
    const again = session.todos.subscribe(() => {})
    await wait(5000)
    expect(network.opened()).toBe(1)
    expect(session.state.get().phase).toBe('live')
    again()
    await wait(1000)
    expect(session.state.get().phase).toBe('closed')
    expect(client.connection.get().state).toBe('idle')
  })

  it('[C1] opens a WebSocket without headers where headers are not supported, as in browsers', async () => {
    const made: unknown[][] = []
    const { network, ...rest } = setUp(talking)
    rest.client.close()
    const Browser = function (...given: unknown[]) {
      made.push(given)
      if (given.length > 1) throw new SyntaxError('is no protocol')
      return new network.WebSocket(given[0] as string)
    }
    const client = createClient({
      url: 'http://fake',
      token: 'secret',
      fetch: network.fetch,
      WebSocket: Browser as never,
    })
    client.session('s').state.subscribe(() => {})
    await wait(1000)
    expect(made).toEqual([
      ['ws://fake/api/ws', { headers: { authorization: 'Bearer secret' } }],
      ['ws://fake/api/ws'],
    ])
    expect(client.connection.get()).toMatchObject({ state: 'open', transport: 'websocket' })
    client.close()
  })
})
