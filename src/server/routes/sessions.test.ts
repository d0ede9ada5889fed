import { mkdirSync, rmdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDragoman, type Opened } from '../dragoman.fixture.ts'

let house: Opened
beforeAll(async () => {
  house = await openDragoman()
})
afterAll(() => house[Symbol.asyncDispose]())

describe('sessions', () => {
  it('[P1] are created with what was chosen, or with what is usual', async () => {
    const made = await house.call('createSession', {
      body: { id: 'chosen', agent: 'scripted', title: 'A title', cwd: house.root },
    })
    expect(made.status).toBe(201)
    expect(made.json).toMatchObject({
      id: 'chosen',
      title: 'A title',
      cwd: house.root,
      status: 'idle',
      queue: [],
      pending: 0,
      deleted: false,
      branch: null,
      trouble: null,
    })
    const usual = await house.call('createSession', { body: {} })
    expect(usual.json).toMatchObject({ agent: 'scripted', cwd: house.root, title: null })
    const again = await house.call('createSession', { body: { id: 'chosen' } })
    expect([again.status, again.json]).toMatchObject([409, { code: 'session-exists' }])
  })

  it('[P1] are refused where they could not work', async () => {
    const wrong = [
      [{ cwd: '/etc' }, 403, 'folder-not-allowed'],
      [{ cwd: `${house.root}/../..` }, 403, 'folder-not-allowed'],
      [{ cwd: 'relative' }, 403, 'folder-not-allowed'],
      [{ agent: 'nobody' }, 404, 'unknown-agent'],
      [{ id: 'a/b' }, 400, 'invalid-input'],
      [{ title: '' }, 400, 'invalid-input'],
    ] as const
    for (const [body, status, code] of wrong)
      expect(await house.call('createSession', { body }), JSON.stringify(body)).toMatchObject({
        status,
        json: { code, status },
      })
  })

  it('[S11] work where they were allowed to, also when the folder is swapped for a link afterwards', async () => {
    const folder = join(house.root, 'swapped')
    mkdirSync(folder)
    symlinkSync(folder, join(house.root, 'link'))
    const cwd = join(house.root, 'link')
    const { json } = await house.call('createSession', { body: { cwd, options: { pace: 0 } } })
    expect(json.cwd).toBe(folder)
    rmdirSync(folder)
    symlinkSync('/etc', folder)
    await house.run(json.id, 'hello')
    const { json: after } = await house.call('listEntries', { params: { session: json.id } })
    const types = after.entries.map(({ event }) => event.type)
    expect(types).not.toContain('agent-connected')
    const ended = after.entries.find(({ event }) => event.type === 'interaction-ended')
    expect(ended?.event).toMatchObject({ outcome: 'failed' })
    expect(String(ended?.event['reason'])).toContain('Agents may not work in')
  })

  it('[P1] are listed by pages, the newest first, and found by words', async () => {
    for (const id of ['page-1', 'page-2', 'page-3'])
      await house.call('createSession', { body: { id, title: `Find ${id}` } })
    const first = await house.call('listSessions', { query: { query: 'Find page', limit: '2' } })
    expect(first.json.sessions.map(({ id }) => id)).toEqual(['page-3', 'page-2'])
    const second = await house.call('listSessions', {
      query: { query: 'Find page', limit: '2', cursor: first.json.next ?? '' },
    })
    expect(second.json).toMatchObject({ sessions: [{ id: 'page-1' }], next: null })
    expect((await house.call('listSessions', { query: { cursor: 'nonsense' } })).status).toBe(400)
  })

  it('[P1] are renamed, archived and given to another agent, and tell it', async () => {
    const session = await house.session()
    const change = (body: Parameters<typeof house.call<'changeSession'>>[1]['body']) =>
      house.call('changeSession', { params: { session }, body })
    expect((await change({ title: 'Another', archived: true })).json).toMatchObject({
      title: 'Another',
      archived: true,
    })
    expect((await change({ archived: false })).json.archived).toBe(false)
    expect(await change({ agent: 'nobody' })).toMatchObject({ status: 404 })
    expect((await change({ agent: 'scripted' })).status).toBe(200)
  })

  it('[P1] are deleted softly', async () => {
    const session = await house.session()
    expect((await house.call('deleteSession', { params: { session } })).status).toBe(200)
    expect(await house.call('getSession', { params: { session } })).toMatchObject({
      status: 404,
      json: { code: 'unknown-session' },
    })
    expect(
      (await house.call('getSession', { params: { session }, query: { deleted: '1' } })).json.deleted,
    ).toBe(true)
    for (const name of [
      'listEntries',
      'listMessages',
      'listInteractions',
      'listWorkLog',
      'getSnapshot',
      'listApprovals',
    ] as const) {
      expect((await house.call(name, { params: { session } })).status, name).toBe(404)
      expect((await house.call(name, { params: { session }, query: { deleted: '1' } })).status, name).toBe(
        200,
      )
    }
    expect((await house.call('prompt', { params: { session }, body: { text: 'x' } })).status).toBe(404)
    const back = await house.call('changeSession', { params: { session }, body: { deleted: false } })
    expect(back.json.deleted).toBe(false)
  })
})
