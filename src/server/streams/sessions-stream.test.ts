import { describe, expect, it } from 'vitest'
import type { SessionId } from '../../protocol/ids.ts'
import { openDragoman } from '../dragoman.fixture.ts'
import { eventually, openServed } from './served.fixture.ts'
import { openSessionsStream } from './sessions-stream.ts'
import type { Attendant, Sink } from './sink.ts'

/** A reader that has room or not, as the test says. */
function createReader() {
  const reader = {
    frames: [] as string[],
    hasRoom: true,
    isCut: false,
    attendant: null as Attendant | null,
    /** The titles of the sessions that it was sent, in order. */
    titles: () => reader.frames.flatMap(frame => /"title":"([^"]*)"/.exec(frame)?.[1] ?? []),
  }
  const sink: Sink = {
    write(text) {
      reader.frames.push(text)
      return reader.hasRoom
    },
    end: () => reader.attendant?.gone(),
    cut() {
      reader.isCut = true
      reader.attendant?.gone()
    },
    waiting: () => 0,
    attend: attendant => void (reader.attendant = attendant),
  }
  return { reader, sink }
}

describe('all sessions as server-sent events', () => {
  it('[C1] sends running sessions, then every change, without ids', async () => {
    const served = await openServed()
    const busy = await served.session('busy')
    await served.session('idle')
    await served.call('prompt', { params: { session: busy }, body: { text: 'Show me a hang' } })
    const listening = await served.listen('/api/live/sessions')
    const sessionsSent = () =>
      listening.events.map(
        ({ data }) => (JSON.parse(data) as { session: { id: string; status: string } }).session,
      )
    await listening.until(events => events.length > 0)
    expect(sessionsSent()[0]).toMatchObject({ id: 'busy', status: 'running' })
    expect(sessionsSent().some(({ id }) => id === 'idle')).toBe(false)
    await served.session('new')
    await served.call('interrupt', { params: { session: busy } })
    await eventually(() => sessionsSent().some(({ id }) => id === 'new')).toBe(true)
    await eventually(() => sessionsSent().findLast(({ id }) => id === 'busy')?.status).not.toBe('running')
    for (const { id, event } of listening.events) expect([id, event]).toEqual([null, 'session'])
    await served.stop()
    expect(await listening.ended).toBe(true)
    expect(listening.events.at(-1)).toMatchObject({ event: 'draining' })
  })
  it('[R4] sends a client that was behind only the last state of each session', async () => {
    await using opened = await openDragoman()
    const { parts: server } = opened.dragoman.inside
    const session = (await opened.session('a')) as SessionId
    const rename = (title: string) => server.sessions.execute({ type: 'rename', session, title })
    const { reader, sink } = createReader()
    openSessionsStream(server).run(sink)
    reader.hasRoom = false
    await rename('one')
    await eventually(reader.titles).toEqual(['one'])
    // Another follower shows when a change was announced.
    const other = createReader()
    openSessionsStream(server).run(other.sink)
    await rename('two')
    await rename('three')
    await eventually(() => other.reader.titles().at(-1)).toBe('three')
    expect(reader.titles()).toEqual(['one'])
    reader.hasRoom = true
    reader.attendant?.drained()
    expect(reader.titles()).toEqual(['one', 'three'])
    await rename('four')
    await eventually(reader.titles).toEqual(['one', 'three', 'four'])
  })

  it('[C1] breaks the connection if running sessions cannot be listed, so that the client reconnects', async () => {
    await using opened = await openDragoman()
    const { parts: server } = opened.dragoman.inside
    const list = () => Promise.reject(new Error('no such table: session_row'))
    Object.assign(opened.store.catalogue, { list })
    const { reader, sink } = createReader()
    openSessionsStream(server).run(sink)
    await eventually(() => reader.isCut).toBe(true)
    expect(reader.frames).toEqual([])
    const reports = opened.lines.filter(line => line.includes('no such table: session_row'))
    expect(reports).toHaveLength(1)
    expect(await server.metrics.registry.text()).toContain('clients{kind="sessions"} 0')
  })
})
