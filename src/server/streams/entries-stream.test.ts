import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../protocol/entry.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { eventually, openServed, word } from './served.fixture.ts'

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)
const entriesOf = (session: string, query = '') => `/api/sessions/${session}/entries${query}`

describe('entries as server-sent events', () => {
  it('[T1] sends history and then new entries, without gaps, each with its number', async () => {
    const served = await openServed()
    const session = await served.filled('s', 1000)
    const writing = (async () => {
      for (let index = 0; index < 50; index++) {
        await served.append(session, word(`live ${index}`))
        if (index % 7 === 0) await setImmediate()
      }
    })()
    const listening = await served.listen(entriesOf(session))
    await writing
    await listening.until(() => listening.seqs().length >= 1051)
    expect(listening.seqs()).toEqual(numbers(1, 1051))
    const entries = listening.events.map(({ data }) => JSON.parse(data) as Entry)
    expect(entries.map(({ seq }) => seq)).toEqual(numbers(1, 1051))
    expect(entries.at(-1)).toMatchObject({ session, event: { type: 'agent-spoke', chunks: [{}] } })
    expect(entries.some(({ event }) => 'raw' in event)).toBe(false)
    expect(listening.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
      'cache-control': 'no-store',
    })
  })

  it('[T1] continues after a number; Last-Event-ID overrides ?after; other values are ignored', async () => {
    const served = await openServed()
    const session = await served.filled('s', 40)
    const after = async (query: string, lastEventId?: string) => {
      const own: Readonly<Record<string, string>> =
        lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
      const listening = await served.listen(entriesOf(session, query), own)
      await listening.until(() => listening.seqs().at(-1) === 41)
      listening.close()
      return listening.seqs()[0]
    }
    expect(await after('?after=30')).toBe(31)
    expect(await after('?after=30', '12')).toBe(13)
    expect(await after('?after=30', '')).toBe(31)
    expect(await after('?after=30', 'NaN')).toBe(31)
    expect(await after('', '0')).toBe(1)
  })

  it('[T1] resets a cursor beyond the end, and follows from the end', async () => {
    const served = await openServed()
    const session = await served.filled('s', 4)
    const listening = await served.listen(entriesOf(session, '?after=999'))
    await listening.until(events => events.length > 0)
    expect(listening.events).toEqual([{ id: null, event: 'reset', data: '{"head":5}' }])
    await served.append(session, word('next'))
    await listening.until(() => listening.seqs().length > 0)
    expect(listening.seqs()).toEqual([6])
  })

  it('[R2] reports an unknown session before the stream starts', async () => {
    const served = await openServed()
    const listening = await served.listen(entriesOf('nobody'))
    expect(listening.response.statusCode).toBe(404)
    expect(listening.response.headers['content-type']).toBe('application/problem+json')
  })

  it('[T1] reports a deletion, unless it was undone', async () => {
    const served = await openServed()
    const session = await served.filled('s', 2)
    const { sessions } = served.dragoman
    await sessions.execute({ type: 'delete', session })
    await sessions.execute({ type: 'undelete', session })
    // Said by an agent, it is only words.
    await served.append(session, word('"event":{"type":"session-deleted"'))
    const listening = await served.listen(entriesOf(session))
    await listening.until(() => listening.seqs().length === 6)
    await served.append(session, word('the stream goes on'))
    await listening.until(() => listening.seqs().length === 7)
    expect(listening.events.filter(({ event }) => event !== null)).toEqual([])
    await sessions.execute({ type: 'delete', session })
    expect(await listening.ended).toBe(true)
    expect(listening.seqs().at(-1)).toBe(8)
    expect(listening.events.at(-1)).toMatchObject({
      event: 'gone',
      data: expect.stringContaining('unknown-session'),
    })
  })

  it('[J3] includes native lines on request', async () => {
    const served = await openServed()
    const session = await served.filled('s', 2)
    const listening = await served.listen(entriesOf(session, '?raw=1&after=1'))
    await listening.until(events => events.length === 2)
    await served.append(session, word('new'))
    await listening.until(events => events.length === 3)
    const raws = listening.events.map(
      ({ data }) => (JSON.parse(data) as { event: { raw: string } }).event.raw,
    )
    expect(raws).toEqual(['raw 0', 'raw 1', 'raw new'])
  })

  it('[P1] uses the newer dialect on request, from any entry', async () => {
    const served = await openServed()
    const session = (await served.session()) as SessionId
    const { sessions } = served.dragoman
    await sessions.execute({
      type: 'prompt',
      session,
      parts: [{ type: 'text', text: 'Show me an approval' }],
    })
    await eventually(async () => (await sessions.get(session)).pending.length).toBe(1)
    const { pending, seq } = await sessions.get(session)
    const approval = pending[0]?.approval ?? ''
    const late = await served.listen(entriesOf(session, `?dialect=v7&after=${seq}`))
    await sessions.execute({ type: 'answer', session, approval, approved: true, reason: 'Go on.' })
    await sessions.whenIdle(session)
    const whole = await served.listen(entriesOf(session, '?dialect=v7'))
    const isEnded = (data: string) => data.includes('"interaction-ended"')
    for (const each of [late, whole]) {
      await each.until(events => events.some(({ data }) => isEnded(data)))
      const answers = each.events.filter(({ data }) => data.includes('tool-approval-response'))
      expect(answers.map(({ data }) => (JSON.parse(data) as Entry).event)).toMatchObject([
        {
          type: 'approval-answered',
          chunks: [{ thread: null, chunk: { approvalId: approval, approved: true, reason: 'Go on.' } }],
        },
      ])
    }
  })

  it('[R4] sends heartbeats while nothing happens', async () => {
    const served = await openServed({ limits: { heartbeatMs: 150 } })
    const session = await served.filled('s', 1)
    const listening = await served.listen(entriesOf(session))
    await eventually(() => listening.beats()).toBeGreaterThan(1)
    listening.close()
    await eventually(() => served.dragoman.inside.parts.metrics.registry.text()).toContain(
      'clients{kind="sse"} 0',
    )
  })

  it('[R4] keeps almost nothing in memory for a client that does not read, and sends everything when it does', async () => {
    const served = await openServed({ limits: { heartbeatMs: 300, stallMs: 80_000 } })
    const session = await served.filled('s', 1)
    const listening = await served.listen(entriesOf(session))
    await listening.until(events => events.length === 2)
    listening.response.pause()
    const long = 'x'.repeat(50_000)
    for (let index = 0; index < 200; index++) await served.append(session, word(long), word(long))
    const { parts: server } = served.dragoman.inside
    const text = await eventually(() => server.metrics.registry.text())
      .toMatch(/backlog_bytes [1-9]/)
      .then(() => server.metrics.registry.text())
    const backlog = Number(/backlog_bytes (\d+)/.exec(text)?.[1])
    expect(backlog).toBeLessThan(1 << 20)
    listening.response.resume()
    await listening.until(events => events.length === 402)
    expect(listening.seqs()).toEqual(numbers(1, 402))
  })

  it('[R4] disconnects a client that never reads, which misses nothing', async () => {
    const served = await openServed({ limits: { heartbeatMs: 150, stallMs: 200 } })
    const session = await served.filled('s', 1)
    const listening = await served.listen(entriesOf(session))
    await listening.until(events => events.length === 2)
    listening.response.pause()
    const long = 'x'.repeat(100_000)
    for (let index = 0; index < 150; index++) await served.append(session, word(long))
    const { registry } = served.dragoman.inside.parts.metrics
    await eventually(() => registry.text()).toContain('dropped_slow_total{kind="sse"} 1')
    listening.response.resume()
    await listening.ended
    const last = listening.seqs().at(-1) ?? 0
    expect(listening.seqs()).toEqual(numbers(1, last))
    const again = await served.listen(entriesOf(session), { 'last-event-id': `${last}` })
    await again.until(() => again.seqs().at(-1) === 152)
    expect(again.seqs()).toEqual(numbers(last + 1, 152))
  })

  it('[O1] ends with the position to continue from when the server stops', async () => {
    const served = await openServed()
    const session = await served.filled('s', 9)
    const listening = await served.listen(entriesOf(session))
    await listening.until(events => events.length === 10)
    await served.stop()
    expect(await listening.ended).toBe(true)
    expect(listening.events.at(-1)).toEqual({ id: null, event: 'draining', data: '{"after":10}' })
  })

  it('[T1] sends a hundred clients of one session the same', async () => {
    const served = await openServed()
    const session = await served.filled('s', 20)
    const readers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => served.listen(entriesOf(session, `?after=${index % 21}`))),
    )
    for (let index = 0; index < 20; index++) await served.append(session, word(`live ${index}`))
    for (const [index, reader] of readers.entries()) {
      await reader.until(() => reader.seqs().at(-1) === 41)
      expect(reader.seqs()).toEqual(numbers((index % 21) + 1, 41))
      reader.close()
    }
  })

  it('[T1] streams through a handler that knows only Request and Response', async () => {
    const served = await openServed()
    const session = await served.filled('s', 300)
    const response = await served.send(entriesOf(session), { headers: { accept: 'text/event-stream' } })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('id: 301\n')) text += (await reader?.read())?.value ?? ''
    await served.append(session, word('live'))
    while (!text.includes('id: 302\n')) text += (await reader?.read())?.value ?? ''
    await reader?.cancel()
    await eventually(() => served.dragoman.inside.parts.metrics.registry.text()).toContain(
      'clients{kind="sse"} 0',
    )
  })
})
