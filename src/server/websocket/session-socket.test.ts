import { describe, expect, it } from 'vitest'
import { openServed, word } from '../streams/served.fixture.ts'
import { talk } from './talk.fixture.ts'

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

describe('/api/ws', () => {
  it('[T1] follows many sessions over one socket: history, then new entries, without gaps', async () => {
    const served = await openServed()
    const sessions = await Promise.all(['a', 'b', 'c'].map(name => served.filled(name, 400)))
    const one = await talk(served)
    for (const session of sessions) one.say({ type: 'follow', session, after: session === 'b' ? 100 : 0 })
    for (let index = 0; index < 30; index++)
      for (const session of sessions) await served.append(session, word(`live ${index}`))
    for (const session of sessions) {
      await one.until(() => one.seqs(session).at(-1) === 431)
      expect(one.seqs(session)).toEqual(numbers(session === 'b' ? 101 : 1, 431))
    }
    const caughtUp = one.frames.filter(({ type }) => type === 'caught-up')
    expect(caughtUp.map(frame => String(frame['session'])).toSorted()).toEqual(['a', 'b', 'c'])
    for (const frame of caughtUp) {
      const before = one.frames.slice(0, one.frames.indexOf(frame))
      const entries = before.filter(each => each['session'] === frame['session'])
      expect(JSON.stringify(entries.at(-1))).toContain(`"seq":${String(frame['seq'])},`)
    }
  })

  it('[T1] resets a cursor beyond the end, starts again when asked again, and stops on unfollow', async () => {
    const served = await openServed()
    const session = await served.filled('s', 3)
    const one = await talk(served)
    one.say({ type: 'follow', session, after: 99 })
    await one.until(frames => frames.length === 2)
    expect(one.frames).toEqual([
      { type: 'reset', session, head: 4 },
      { type: 'caught-up', session, seq: 4 },
    ])
    one.say({ type: 'follow', session, after: 2 })
    await one.until(() => one.seqs(session).length === 2)
    one.say({ type: 'unfollow', session })
    one.say({ type: 'unfollow', session: 'never-followed' })
    one.say({ type: 'ping' })
    await one.until(frames => frames.some(({ type }) => type === 'pong'))
    const other = await talk(served)
    other.say({ type: 'follow', session, after: 4 })
    await served.append(session, word('unheard'))
    await other.until(() => other.seqs(session).length === 1)
    one.say({ type: 'ping' })
    await one.next('pong')
    expect(one.seqs(session)).toEqual([3, 4])
  })

  it('[T1] reports unknown and deleted sessions', async () => {
    const served = await openServed()
    const session = await served.filled('s', 3)
    const one = await talk(served)
    one.say({ type: 'follow', session: 'nobody' })
    await one.until(frames => frames.length === 1)
    expect(one.frames).toMatchObject([{ type: 'gone', session: 'nobody', code: 'unknown-session' }])
    one.say({ type: 'follow', session })
    await one.until(() => one.seqs(session).length === 4)
    one.say({ type: 'command', id: 1, command: { type: 'delete', session } })
    await one.until(frames => frames.filter(({ type }) => type === 'gone').length === 2)
    expect(one.seqs(session).at(-1)).toBe(5)
  })

  it('[T4] runs commands concurrently, and replies to each by its id', async () => {
    const served = await openServed()
    const one = await talk(served)
    one.say({
      type: 'command',
      id: 'x',
      command: { type: 'create', agent: 'scripted', cwd: served.root, session: 's' },
    })
    await one.until(frames => frames.length === 1)
    expect(one.frames).toEqual([{ type: 'reply', id: 'x', ok: { session: 's', seq: 1 } }])
    one.say({ type: 'command', id: 2, command: { type: 'interrupt', session: 's' } })
    one.say({ type: 'command', id: 3, command: { type: 'rename', session: 's', title: '' } })
    one.say({ type: 'command', id: 4, command: { type: 'create', agent: 'scripted', cwd: '/etc' } })
    one.say({ type: 'command', id: 5, command: 'no command' })
    await one.until(frames => frames.length === 5)
    const replies = Object.fromEntries(one.frames.map(frame => [String(frame['id']), frame]))
    expect(replies).toMatchObject({
      2: { ok: { interaction: null } },
      3: { error: { code: 'invalid-input' } },
      4: { error: { code: 'folder-not-allowed' } },
      5: { error: { code: 'invalid-input' } },
    })
    for (let id = 0; id < 1000; id++)
      one.say({ type: 'command', id, command: { type: 'interrupt', session: 's' } })
    await one.until(frames => frames.length === 1005)
  })

  it('[T4] refuses a prompt with an ID that belongs to another prompt', async () => {
    const served = await openServed()
    const session = await served.session('s')
    const one = await talk(served)
    const send = async (id: string, text: string) => {
      const command = { type: 'prompt', session, prompt: 'p1', parts: [{ type: 'text', text }] }
      one.say({ type: 'command', id, command })
      await one.until(frames => frames.some(frame => frame['id'] === id))
      return one.frames.find(frame => frame['id'] === id)
    }
    expect(await send('first', 'hello')).toMatchObject({ type: 'reply', ok: { repeated: false } })
    expect(await send('other', 'something else')).toMatchObject({
      type: 'reply',
      error: { code: 'prompt-exists' },
    })
    expect(await send('again', 'hello')).toMatchObject({ type: 'reply', ok: { repeated: true } })
  })

  it('[C1] sends all sessions, running ones first', async () => {
    const served = await openServed()
    const session = await served.session('busy')
    await served.call('prompt', { params: { session }, body: { text: 'Show me a hang' } })
    const one = await talk(served)
    one.say({ type: 'follow-sessions' })
    await one.until(frames => frames.length > 0)
    expect(one.frames[0]).toMatchObject({ type: 'session', session: { id: 'busy', status: 'running' } })
    await served.session('fresh')
    await one.until(frames => frames.some(frame => JSON.stringify(frame).includes('"id":"fresh"')))
    await served.call('interrupt', { params: { session } })
    await one.until(frames =>
      frames.some(frame => /"id":"busy".*"status":"(idle|failed)"/.test(JSON.stringify(frame))),
    )
    one.say({ type: 'unfollow-sessions' })
    one.say({ type: 'ping' })
    await one.next('pong')
    const had = one.frames.length
    const other = await talk(served)
    other.say({ type: 'follow-sessions' })
    await served.session('unheard')
    await other.until(frames => JSON.stringify(frames).includes('"id":"unheard"'))
    one.say({ type: 'ping' })
    await one.next('pong')
    expect(one.frames.length).toBe(had + 1)
  })

  it('[O1] announces that the server stops, and closes', async () => {
    const served = await openServed()
    const session = await served.filled('s', 3)
    const one = await talk(served)
    one.say({ type: 'follow', session, after: 0 })
    await one.until(() => one.seqs(session).length === 4)
    await served.stop()
    expect(await one.closed).toBe(1001)
    expect(one.frames.at(-1)).toEqual({ type: 'draining' })
  })
})
