import { mkdirSync, rmdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDragoman, type Opened } from '../dragoman.fixture.ts'

let server: Opened
beforeAll(async () => {
  server = await openDragoman()
})
afterAll(() => server[Symbol.asyncDispose]())

describe('sessions', () => {
  it('[P1] are created with the given values or the defaults', async () => {
    const made = await server.call('createSession', {
      body: { id: 'chosen', agent: 'scripted', title: 'A title', cwd: server.root },
    })
    expect(made.status).toBe(201)
    expect(made.json).toMatchObject({
      id: 'chosen',
      title: 'A title',
      cwd: server.root,
      status: 'idle',
      queue: [],
      pending: 0,
      deleted: false,
      branch: null,
      trouble: null,
    })
    const usual = await server.call('createSession', { body: {} })
    expect(usual.json).toMatchObject({ agent: 'scripted', cwd: server.root, title: null })
    const again = await server.call('createSession', { body: { id: 'chosen' } })
    expect([again.status, again.json]).toMatchObject([409, { code: 'session-exists' }])
  })

  it('[P1] are refused for an unknown agent or folder', async () => {
    const wrong = [
      [{ cwd: '/etc' }, 403, 'folder-not-allowed'],
      [{ cwd: `${server.root}/../..` }, 403, 'folder-not-allowed'],
      [{ cwd: 'relative' }, 403, 'folder-not-allowed'],
      [{ agent: 'nobody' }, 404, 'unknown-agent'],
      [{ id: 'a/b' }, 400, 'invalid-input'],
      [{ title: '' }, 400, 'invalid-input'],
    ] as const
    for (const [body, status, code] of wrong)
      expect(await server.call('createSession', { body }), JSON.stringify(body)).toMatchObject({
        status,
        json: { code, status },
      })
  })

  it('[S11] keep working in the checked folder, even if it is replaced by a link afterwards', async () => {
    const folder = join(server.root, 'swapped')
    mkdirSync(folder)
    symlinkSync(folder, join(server.root, 'link'))
    const cwd = join(server.root, 'link')
    const { json } = await server.call('createSession', { body: { cwd, options: { pace: 0 } } })
    expect(json.cwd).toBe(folder)
    rmdirSync(folder)
    symlinkSync('/etc', folder)
    await server.run(json.id, 'hello')
    const { json: after } = await server.call('listEntries', { params: { session: json.id } })
    const types = after.entries.map(({ event }) => event.type)
    expect(types).not.toContain('agent-connected')
    const ended = after.entries.find(({ event }) => event.type === 'interaction-ended')
    expect(ended?.event).toMatchObject({ outcome: 'failed' })
    expect(String(ended?.event['reason'])).toContain('Agents may not work in')
  })

  it('[P1] are listed in pages, newest first, and found by text', async () => {
    for (const id of ['page-1', 'page-2', 'page-3'])
      await server.call('createSession', { body: { id, title: `Find ${id}` } })
    const first = await server.call('listSessions', { query: { query: 'Find page', limit: '2' } })
    expect(first.json.sessions.map(({ id }) => id)).toEqual(['page-3', 'page-2'])
    const second = await server.call('listSessions', {
      query: { query: 'Find page', limit: '2', cursor: first.json.next ?? '' },
    })
    expect(second.json).toMatchObject({ sessions: [{ id: 'page-1' }], next: null })
    expect((await server.call('listSessions', { query: { cursor: 'nonsense' } })).status).toBe(400)
  })

  it('[P1] can be renamed, archived and assigned to another agent', async () => {
    const session = await server.session()
    const change = (body: Parameters<typeof server.call<'changeSession'>>[1]['body']) =>
      server.call('changeSession', { params: { session }, body })
    expect((await change({ title: 'Another', archived: true })).json).toMatchObject({
      title: 'Another',
      archived: true,
    })
    expect((await change({ archived: false })).json.archived).toBe(false)
    expect((await change({ pinned: true })).json.pinned).toBe(true)
    const pinned = await server.call('listSessions', { query: { pinned: '1' } })
    expect(pinned.json.sessions.map(({ id }) => id)).toEqual([session])
    expect((await change({ pinned: false })).json.pinned).toBe(false)
    expect(await change({ agent: 'nobody' })).toMatchObject({ status: 404 })
    expect((await change({ agent: 'scripted' })).status).toBe(200)
  })

  it('[A17] options of the agent are changed alone or together with the agent', async () => {
    const session = await server.session()
    const change = (body: Parameters<typeof server.call<'changeSession'>>[1]['body']) =>
      server.call('changeSession', { params: { session }, body })
    expect((await change({ options: { pace: 0, seed: 'one' } })).json.options).toEqual({
      pace: 0,
      seed: 'one',
    })
    expect((await change({ options: { seed: null } })).json.options).toEqual({ pace: 0 })
    expect((await change({ agent: 'scripted', options: { seed: 'two' } })).json.options).toEqual({
      seed: 'two',
    })
    for (const options of [{ pase: 1 }, { pace: 'slow' }, 'pace', ['pace'], null] as never[])
      expect(await change({ options }), JSON.stringify(options)).toMatchObject({
        status: 400,
        json: { code: 'invalid-input' },
      })
    expect((await server.call('getSession', { params: { session } })).json.options).toEqual({ seed: 'two' })
  })

  it('[A17] agents are listed with their options', async () => {
    const { json } = await server.call('listAgents', {})
    expect(json.agents[0]?.options).toMatchObject({
      type: 'object',
      properties: { pace: { type: 'number', title: 'Pace' } },
    })
  })

  it('[P1] can be deleted and restored', async () => {
    const session = await server.session()
    expect((await server.call('deleteSession', { params: { session } })).status).toBe(200)
    expect(await server.call('getSession', { params: { session } })).toMatchObject({
      status: 404,
      json: { code: 'unknown-session' },
    })
    expect(
      (await server.call('getSession', { params: { session }, query: { deleted: '1' } })).json.deleted,
    ).toBe(true)
    for (const name of [
      'listEntries',
      'listMessages',
      'listInteractions',
      'listWorkLog',
      'getSnapshot',
      'listApprovals',
    ] as const) {
      expect((await server.call(name, { params: { session } })).status, name).toBe(404)
      expect((await server.call(name, { params: { session }, query: { deleted: '1' } })).status, name).toBe(
        200,
      )
    }
    expect((await server.call('prompt', { params: { session }, body: { text: 'x' } })).status).toBe(404)
    const back = await server.call('changeSession', { params: { session }, body: { deleted: false } })
    expect(back.json.deleted).toBe(false)
  })
})
