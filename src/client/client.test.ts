import { describe, expect, it, onTestFinished } from 'vitest'
import { eventually, openServed, type Served } from '../server/streams/served.fixture.ts'
import { isDragomanError } from '../protocol/error.ts'
import { createClient, type Client, type ClientOptions } from './create-client.ts'
import type { Readable } from './readable.ts'
import { UnreachableError } from './refusal.ts'

/** A client of a real server, for the time of a test. */
function connect({ url, dragoman }: Served, options: ClientOptions = {}): Client {
  const client = createClient({ url, token: dragoman.token, timing: { lingerMs: 0 }, ...options })
  onTestFinished(() => client.close())
  return client
}

/** Subscribes for the time of a test. */
function watch<Value>(readable: Readable<Value>): Readable<Value> {
  onTestFinished(readable.subscribe(() => {}))
  return readable
}

const ways = { websocket: {}, sse: { WebSocket: null } } as const

describe('createClient', () => {
  it.each(['websocket', 'sse'] as const)('[C1] shows a session as the server has it, over %s', async way => {
    const served = await openServed()
    const client = connect(served, ways[way])
    const id = await served.session('s')
    const session = client.session(id)
    const messages = watch(session.messages)
    await session.prompt('thinking, tools, todos, a subagent and a retraction').saved
    await eventually(() => session.status.get().status).toBe('running')
    await eventually(() => session.status.get().status).toBe('idle')
    const { json } = await served.call('listMessages', { params: { session: id } })
    await eventually(() => JSON.parse(JSON.stringify(messages.get()))).toEqual(json.messages)
    expect(session.todos.get()).toHaveLength(3)
    expect(session.events.get().map(({ event }) => event.type)).toContain('interaction-ended')
    expect(session.subagents.get()).toEqual([])
    const { cost, tokens, agentSession } = (await served.call('getSession', { params: { session: id } })).json
    await eventually(() => session.usage.get()).toEqual({ cost, tokens })
    expect(session.debug.get()).toMatchObject({
      session: id,
      agentSession,
      phase: 'live',
      connection: { state: 'open', transport: way, reconnects: 0 },
    })
    const threads = [...session.state.get().view.messages.keys()].filter(thread => thread !== null)
    expect(threads).toHaveLength(2)
    const query = { thread: threads[0] ?? '' }
    const side = (await served.call('listMessages', { params: { session: id }, query })).json.messages
    expect(JSON.parse(JSON.stringify(session.thread(threads[0] ?? '').get()))).toEqual(side)
  })

  it('[C1] shows the same when it opens a session in the middle of an answer', async () => {
    const served = await openServed()
    const { id } = await connect(served).createSession({ options: { pace: 0.2 } })
    const first = connect(served).session(id)
    watch(first.state)
    await first.prompt('thinking, tools, an image and todos').saved
    const late: Readable<unknown>[] = []
    for (let at = 0; at < 12; at += 1) {
      await eventually(() => first.state.get().seq).toBeGreaterThan(at * 8 + 4)
      late.push(watch(connect(served, at % 2 === 0 ? {} : ways.sse).session(id).messages))
    }
    await eventually(() => first.status.get().status).toBe('idle')
    for (const messages of late) await eventually(() => messages.get()).toEqual(first.messages.get())
  })

  it('[C2] sends commands: answer, always, interrupt, rename, archive, branch, delete', async () => {
    const served = await openServed()
    const client = connect(served)
    const session = client.session(await served.session('s'))
    const pending = watch(session.pendingApprovals)
    session.prompt('an approval')
    await eventually(() => pending.get().length).toBe(1)
    const [asked] = pending.get()
    await session.answer(asked?.id ?? '', { approved: true, always: true, input: { command: 'ls' } })
    await eventually(() => session.rules.get()).toMatchObject([{ tool: 'Bash' }])
    await eventually(() => session.status.get().status).toBe('idle')
    await expect(session.answer(asked?.id ?? '', { approved: false })).rejects.toMatchObject({
      code: 'approval-settled',
    })
    await session.revokeRule(session.rules.get()[0]?.id ?? '')
    await eventually(() => session.rules.get()).toEqual([])

    session.prompt('a hang')
    await eventually(() => session.status.get().status).toBe('running')
    await session.interrupt()
    await eventually(() => session.status.get().status).toBe('idle')
    await session.rename('A new name')
    await eventually(() => session.facts.get()?.title).toBe('A new name')

    const [said] = session.messages.get()
    const branch = await session.branch(said?.id ?? '', [{ type: 'text', text: 'todos' }])
    expect(branch.branch).toMatchObject({ session: session.id })
    const other = client.session(branch.id)
    watch(other.messages)
    await eventually(() => other.todos.get()).toHaveLength(3)

    await session.archive()
    await eventually(() => session.facts.get()?.archived).toBe(true)
    await session.archive(false)
    await session.delete()
    await eventually(() => session.state.get().phase).toBe('gone')
    await session.undelete()
    await eventually(() => session.state.get().phase).toBe('live')
    expect(session.messages.get()[0]).toEqual(said)
  })

  it('[C2] queues and withdraws prompts, and reports why one was refused', async () => {
    const served = await openServed()
    const client = connect(served)
    const session = client.session(await served.session('s'))
    watch(session.state)
    await session.prompt('a hang').saved
    const { id, saved } = session.prompt('todos')
    expect((await saved).queued).toBe(true)
    await eventually(() => session.queue.get()).toMatchObject([{ prompt: id, held: false }])
    await session.withdraw(id)
    await eventually(() => session.queue.get()).toEqual([])
    await session.interrupt()
    await session.archive()
    const refused = session.prompt('too late')
    await expect(refused.saved).rejects.toMatchObject({ code: 'session-archived' })
    expect(session.outbox.get()).toMatchObject([
      { id: refused.id, state: 'refused', refusal: { message: expect.stringMatching(/archived/) } },
    ])
    await session.archive(false)
    client.outbox.retry(refused.id)
    await eventually(() => session.messages.get().map(({ id: each }) => each)).toContain(refused.id)
    expect(session.outbox.get()).toEqual([])
  })

  it('[C1] loads older messages by page, and shows an edit instead of the messages it replaces', async () => {
    const served = await openServed()
    const id = await served.session('s')
    for (let at = 0; at < 6; at += 1) await served.run(id, `hello ${at}`)
    const session = connect(served, { pageSize: 4 }).session(id)
    const messages = watch(session.messages)
    await eventually(() => messages.get().length).toBe(4)
    expect(session.hasOlder.get()).toBe(true)
    expect(await session.loadOlder()).toBe(true)
    expect(messages.get()).toHaveLength(8)
    await session.loadOlder()
    expect(session.hasOlder.get()).toBe(false)
    expect(await session.loadOlder()).toBe(false)
    const all = async () => (await served.call('listMessages', { params: { session: id } })).json.messages
    expect(JSON.parse(JSON.stringify(messages.get()))).toEqual(await all())
    await session.prompt('instead', { parent: messages.get()[1]?.id ?? null }).saved
    await eventually(() => messages.get().length).toBe(4)
    await eventually(() => session.status.get().status).toBe('idle')
    const kept = await all()
    await eventually(() => JSON.parse(JSON.stringify(messages.get()))).toEqual(kept)
  })

  it('[C1] lists all sessions and running sessions, live', async () => {
    const served = await openServed()
    const client = connect(served)
    const all = watch(client.sessions())
    const running = watch(client.running)
    const archived = watch(client.sessions({ archived: '1' }))
    await eventually(() => all.get().loading).toBe(false)
    const id = await served.session('one')
    await served.session('two')
    await eventually(() => all.get().sessions.map(each => each.id)).toEqual(['two', 'one'])
    const [two] = all.get().sessions
    client.session(id).prompt('a hang')
    await eventually(() => running.get().sessions.map(each => each.id)).toEqual(['one'])
    await eventually(() => all.get().sessions.map(each => each.status)).toEqual(['idle', 'running'])
    expect(all.get().sessions[0]).toBe(two)
    await client.session(id).interrupt()
    await eventually(() => running.get().sessions).toEqual([])
    await client.session('two').archive()
    await eventually(() => all.get().sessions.map(each => each.id)).toEqual(['one'])
    await eventually(() => archived.get().sessions.map(each => each.id)).toEqual(['two'])
    expect(client.sessions({ archived: '1' })).toBe(archived)
  })

  it('[C1] calls by name, and throws typed errors', async () => {
    const served = await openServed()
    const client = connect(served)
    expect((await client.listAgents()).map(({ name }) => name)).toEqual(['scripted'])
    const unknown = await client
      .call('getSession', { params: { session: 'nobody' } })
      .catch((error: unknown) => error)
    expect(isDragomanError(unknown, 'unknown-session')).toBe(true)
    expect((unknown as Error).message).toMatch(/nobody/)
    const stranger = createClient({ url: served.url, token: 'not the right token' })
    await expect(stranger.listAgents()).rejects.toMatchObject({ code: 'not-authenticated' })
    const closed = connect(served, { url: 'http://127.0.0.1:1' })
    await expect(closed.listAgents()).rejects.toBeInstanceOf(UnreachableError)
  })

  it('[C1] requests nothing before the first subscription, and stops after the last', async () => {
    const served = await openServed()
    const id = await served.session('s')
    const asked: string[] = []
    const client = connect(served, {
      fetch: (...given) => {
        asked.push(given[0] as string)
        return fetch(...given)
      },
    })
    const session = client.session(id)
    expect(session.messages.get()).toEqual([])
    expect(asked).toEqual([])
    const values: unknown[] = []
    const stops = [session.messages.subscribe(value => values.push(value)), session.todos.subscribe(() => {})]
    expect(values).toEqual([[]])
    expect(client.session(id)).toBe(session)
    await eventually(() => session.state.get().phase).toBe('live')
    stops.forEach(stop => stop())
    await eventually(() => client.connection.get().state).toBe('idle')
    expect(session.state.get().phase).toBe('closed')
  })
})
