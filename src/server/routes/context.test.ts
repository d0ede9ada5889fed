import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDragoman, type Opened } from '../dragoman.fixture.ts'

let server: Opened
beforeAll(async () => {
  server = await openDragoman()
})
afterAll(() => server[Symbol.asyncDispose]())

const auditOf = async (session: string, query: Readonly<Record<string, string>> = {}) =>
  (await server.call('listManipulations', { params: { session }, query })).json

const firstOf = async (session: string) => {
  const { json } = await server.call('listInteractions', { params: { session } })
  return json.interactions[0] ?? { id: '', messages: [] }
}

describe('the context of a session', () => {
  it('[X8] shows what would be sent and the effect of changes, and returns original text', async () => {
    const session = await server.session()
    await server.run(session, 'use tools')
    const { json, status } = await server.call('getContext', { params: { session } })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      agent: 'scripted',
      effective: 'advisory',
      source: 'advisory',
      policy: 'safe',
    })
    const { messages } = await firstOf(session)
    const part = `${messages[0]?.id}/0`
    const { json: one } = await server.call('getContext', { params: { session }, query: { part } })
    expect(one.recalled).toMatchObject({ part, role: 'user', kind: 'text', text: 'use tools' })
  })

  it('[X6] uses the policy of the server if the session has none', async () => {
    await using other = await openDragoman({ context: 'off' })
    const session = await other.session()
    await other.run(session, 'use tools')
    expect((await other.call('getContext', { params: { session } })).json.policy).toBe('off')
  })

  it('[X8] refuses unknown parameters', async () => {
    const session = await server.session()
    await server.run(session, 'hello')
    const asked = (query: Readonly<Record<string, string>>) =>
      server.call('getContext', { params: { session }, query })
    expect(await asked({ part: 'nothing/0' })).toMatchObject({ status: 404, json: { code: 'unknown-part' } })
    expect(await asked({ step: '1' })).toMatchObject({ status: 404, json: { code: 'unknown-request' } })
    for (const step of ['one', '0'])
      expect(await asked({ step })).toMatchObject({
        status: 400,
        json: { detail: expect.stringContaining('a request number, 1 or more') as string },
      })
    expect((await server.send(`/api/sessions/${session}/context?who=me`)).status).toBe(400)
    expect((await server.call('getContext', { params: { session: 'nobody' } })).status).toBe(404)
  })
})

describe('manipulations', () => {
  it('[X4] by a person can be listed, filtered, undone and redone', async () => {
    const session = await server.session()
    await server.run(session, 'use tools')
    const { id: interaction, messages } = await firstOf(session)
    const made = await server.call('manipulate', {
      params: { session },
      body: { by: 'ann', changes: [{ do: 'archive', interaction, reason: 'no longer needed' }] },
    })
    expect(made.status).toBe(201)
    const [id = ''] = made.json.manipulations
    const { manipulations, next, asOf } = await auditOf(session)
    expect(next).toBeNull()
    expect(asOf).toBeGreaterThanOrEqual(made.json.seq)
    expect(manipulations).toMatchObject([
      {
        id,
        kind: 'applied',
        holds: true,
        actor: { kind: 'person', name: 'ann', owner: null },
        strategy: 'archive',
        to: 'archived',
        reason: 'no longer needed',
        interactions: [interaction],
        whole: true,
        effective: 'advisory',
        refusal: null,
      },
    ])
    const [{ parts } = { parts: [] }] = manipulations
    expect(parts.length).toBeGreaterThan(3)
    const back = await server.call('rollBack', { params: { session }, body: { manipulations: [id] } })
    expect(back).toMatchObject({ status: 200, json: { manipulations: [id] } })
    const again = await server.call('rollBack', { params: { session }, body: { manipulations: [id] } })
    expect(again.json).toEqual({ rollback: null, manipulations: [], seq: null })
    const kinds = async (query: Readonly<Record<string, string>>) =>
      (await auditOf(session, query)).manipulations.map(({ kind, holds }) => `${kind} ${holds}`)
    const both = ['applied false', 'rolled-back true']
    expect(await kinds({})).toEqual(both)
    expect(await kinds({ kind: 'rolled-back' })).toEqual(['rolled-back true'])
    expect(await kinds({ interaction })).toEqual(both)
    expect(await kinds({ message: messages[0]?.id ?? '' })).toEqual(both)
    expect(await kinds({ part: parts[0] ?? '' })).toEqual(both)
    expect(await kinds({ actor: 'person' })).toEqual(both)
    for (const none of [
      { actor: 'tool' },
      { tool: 'Read' },
      { owner: 'fs' },
      { part: 'x/0' },
      { message: 'x' },
    ])
      expect(await kinds(none)).toEqual([])
    const newest = await auditOf(session, { limit: '1' })
    expect(newest.manipulations).toMatchObject([{ kind: 'rolled-back', manipulations: [id] }])
    expect(await auditOf(session, { limit: '1', before: String(newest.next) })).toMatchObject({
      manipulations: [{ id }],
      next: null,
    })
  })

  it('[X4] that are refused return the reason, and are in the audit', async () => {
    const session = await server.session()
    await server.run(session, 'hello')
    const { messages } = await firstOf(session)
    const change = (body: unknown) =>
      server.call('manipulate', { params: { session }, body: body as { changes: [] } })
    const part = `${messages[0]?.id}/0`
    expect(await change({ changes: [{ do: 'undelete', parts: [part] }] })).toMatchObject({
      status: 409,
      json: { code: 'change-refused', refusal: 'not-allowed', detail: expect.stringContaining('active') },
    })
    expect(await change({ changes: [{ do: 'pin', parts: ['x/0'] }] })).toMatchObject({
      status: 404,
      json: { code: 'unknown-part' },
    })
    expect(await change({ changes: [{ do: 'pin', interaction: 'foreign' }] })).toMatchObject({
      status: 404,
      json: { code: 'unknown-interaction' },
    })
    const { manipulations } = await auditOf(session, { kind: 'rejected' })
    expect(manipulations.map(({ refusal }) => refusal?.code)).toEqual([
      'not-allowed',
      'unknown-part',
      'outside-interaction',
    ])
    for (const bad of [
      {},
      { changes: [] },
      { changes: [{ do: 'pin' }] },
      { changes: [{ do: 'pin', parts: [part], interaction: 'i' }] },
      { changes: [{ do: 'explode', parts: [part] }] },
      { changes: [{ do: 'pin', parts: [] }] },
    ])
      expect((await change(bad)).status).toBe(400)
    const back = (body: object) => server.call('rollBack', { params: { session }, body })
    expect((await back({})).status).toBe(400)
    expect((await back({ tool: 'Read', after: 3 })).status).toBe(400)
    expect((await back({ after: -1 })).status).toBe(400)
    expect(await back({ manipulations: ['x'] })).toMatchObject({
      status: 404,
      json: { code: 'unknown-manipulation' },
    })
    expect(await back({ interaction: 'x' })).toMatchObject({
      status: 404,
      json: { code: 'unknown-interaction' },
    })
  })
})

describe('interactions', () => {
  it('[X5] can be exported one by one, and merged into another session', async () => {
    const session = await server.session()
    await server.run(session, 'use tools')
    const { id: interaction } = await firstOf(session)
    const exported = await server.send(`/api/sessions/${session}/interactions/${interaction}/export`)
    expect(exported.headers.get('content-type')).toBe('application/x-ndjson')
    const lines = (await exported.text())
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as { readonly type: string })
    expect(lines[0]).toMatchObject({ type: 'interaction', session, interaction })
    expect(lines.filter(({ type }) => type === 'message')).toHaveLength(2)
    expect(lines.filter(({ type }) => type === 'entry').length).toBeGreaterThan(5)
    const missing = await server.send(`/api/sessions/${session}/interactions/nothing/export`)
    expect(missing.status).toBe(404)
    expect(await missing.json()).toMatchObject({ code: 'unknown-interaction' })
    const other = await server.session()
    await server.run(other, 'hello')
    const merged = await server.call('merge', { params: { session: other }, body: { from: session } })
    expect(merged).toMatchObject({ status: 200, json: { interactions: [interaction] } })
    const { json } = await server.call('listInteractions', { params: { session: other } })
    expect(json.interactions.map(({ id }) => id)).toContain(interaction)
    expect((await server.call('listWorkLog', { params: { session: other } })).json.entries).toHaveLength(3)
    expect((await server.call('merge', { params: { session: other }, body: { from: other } })).status).toBe(
      400,
    )
  })
})
