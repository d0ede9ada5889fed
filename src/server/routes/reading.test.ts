import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { scripted } from '../../agents/scripted/index.ts'
import { paths } from '../../protocol/api/paths.ts'
import { replies } from '../../protocol/api/replies.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import { openDragoman, type Opened } from '../dragoman.fixture.ts'

let server: Opened
beforeAll(async () => {
  server = await openDragoman()
})
afterAll(() => server[Symbol.asyncDispose]())

describe('the state of the server', () => {
  it('[O1] is live and ready', async () => {
    expect((await server.call('getLiveness', {})).json).toEqual({ status: 'ok' })
    expect((await server.call('getReadiness', {})).json).toEqual({ status: 'ready' })
  })

  it('[P1] includes its agents and the default agent', async () => {
    const { json } = await server.call('listAgents', {})
    expect(json.agents).toMatchObject([
      {
        name: 'scripted',
        kind: 'demo',
        status: 'ready',
        tested: null,
        age: null,
        isLoggedIn: null,
        default: true,
      },
    ])
    expect(json.agents[0]?.capabilities['approvals']).toBe(true)
  })

  it('[A12] includes what an agent needs instead of a login', async () => {
    const nobody = { status: 'needs-login', version: null, advice: null } as const
    const keyless = { ...scripted, find: async () => ({ ...nobody, lacks: 'key' }) as const }
    const lacking = async (agent: typeof scripted) => {
      await using other = await openDragoman({ agents: [agent] })
      return (await other.call('listAgents', {})).json.agents.map(({ lacks }) => lacks)
    }
    expect(await lacking(keyless)).toEqual(['key'])
    expect(await lacking({ ...scripted, find: async () => nobody })).toEqual([undefined])
  })

  it('[A12] includes whether an agent can run with the options of a session; a connected one can', async () => {
    const readiness = { version: null, advice: null } as const
    const find = async (options?: Json) => {
      const isNamed = (options as { readonly pace?: number } | null | undefined)?.pace === 7
      return { ...readiness, status: isNamed ? 'ready' : 'missing' } as const
    }
    await using other = await openDragoman({ agents: [{ ...scripted, find }] })
    const make = async (pace: number) =>
      (await other.call('createSession', { body: { options: { pace } } })).json.id
    const status = async (session?: string) => {
      const query = session === undefined ? {} : { session }
      return (await other.call('listAgents', { query })).json.agents[0]?.status
    }
    const [plain, named] = [await make(0), await make(7)]
    expect([await status(), await status(plain), await status(named)]).toEqual([
      'missing',
      'missing',
      'ready',
    ])
    await other.call('prompt', { params: { session: plain }, body: { text: 'an approval' } })
    await other.asked(plain)
    expect(await status(plain)).toBe('ready')
    const unknown = await other.call('listAgents', { query: { session: 'nobody' } })
    expect([unknown.status, unknown.json]).toMatchObject([404, { code: 'unknown-session' }])
  })

  it('[S8] includes a one-time sign-in link', async () => {
    const { status, json } = await server.call('createTicket', {})
    expect(status).toBe(201)
    expect(json.url).toBe(`http://dragoman.test:4400/?ticket=${json.ticket}`)
    expect(json.expiresAt).toBeGreaterThan(Date.now())
  })

  it('[O1] includes metrics', async () => {
    const session = await server.session()
    await server.run(session, 'tools')
    const { text, headers } = await server.call('getMetrics', {})
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    for (const name of [
      'events_saved_total{type="agent-spoke"}',
      'save_seconds_count',
      'raw_bytes',
      'wal_bytes',
      'interaction_seconds_count{outcome="finished"}',
      'agents_running{agent="scripted"}',
      'requests_total{call="createSession",status="201"}',
      'clients',
      'backlog_bytes',
    ])
      expect(text).toContain(`dragoman_${name}`)
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) dragoman_|dragoman_\w+(\{[^}]*\})? -?[\d.e+-]+$)/)
  })
})

describe('the history of a session', () => {
  it('[T2] can be read as messages, with the entry up to which they are complete', async () => {
    const session = await server.session()
    await server.run(session, 'tools')
    const { json } = await server.call('listMessages', { params: { session }, query: { limit: '1' } })
    expect(json.messages).toMatchObject([{ role: 'assistant' }])
    expect(json.asOf).toBe((await server.call('getSession', { params: { session } })).json.seq)
    const earlier = await server.call('listMessages', {
      params: { session },
      query: { before: String(json.next) },
    })
    expect(earlier.json).toMatchObject({ messages: [{ role: 'user' }], next: null })
    const { json: snapshot } = await server.call('getSnapshot', {
      params: { session },
      query: { limit: '1' },
    })
    expect(snapshot.asOf).toBe(json.asOf)
    expect(snapshot.messages.map(({ message }) => message)).toEqual(json.messages)
    expect(snapshot.next).toBe(json.next)
  })

  it('[T2] can be read without the running answer', async () => {
    const session = await server.session()
    await server.call('prompt', { params: { session }, body: { text: 'an approval' } })
    await server.asked(session)
    const roles = async (query: { exclude?: 'running' }) =>
      (await server.call('listMessages', { params: { session }, query })).json.messages.map(
        ({ role }) => role,
      )
    expect(await roles({})).toEqual(['user', 'assistant'])
    expect(await roles({ exclude: 'running' })).toEqual(['user'])
    await server.call('interrupt', { params: { session } })
    await server.dragoman.sessions.whenIdle(session as SessionId)
  })

  it('[T1] can be read as entries, in pages, with native lines on request', async () => {
    const session = await server.session()
    await server.run(session, 'tools')
    const { json } = await server.call('listEntries', { params: { session } })
    expect(json.entries.map(({ seq }) => seq)).toEqual(Array.from({ length: json.head }, (_, at) => at + 1))
    expect(json.entries.every(({ event }) => !('raw' in event))).toBe(true)
    const page = await server.call('listEntries', {
      params: { session },
      query: { after: '3', limit: '2', raw: '1' },
    })
    expect(page.json.entries.map(({ seq }) => seq)).toEqual([4, 5])
    const { json: raws } = await server.call('listEntries', { params: { session }, query: { raw: '1' } })
    expect(raws.entries.filter(({ event }) => 'raw' in event).length).toBeGreaterThan(5)
    expect(
      (await server.call('listEntries', { params: { session }, query: { after: '99999' } })).json.entries,
    ).toEqual([])
    const v7 = await server.call('listEntries', { params: { session }, query: { dialect: 'v7' } })
    expect(v7.json.entries).toHaveLength(json.head)
    expect(v7.json.entries.every(({ event }) => !('raw' in event))).toBe(true)
  })

  it('[T1] can be read as native lines, byte for byte', async () => {
    const session = await server.session()
    await server.run(session, 'tools')
    const { json } = await server.call('listEntries', { params: { session }, query: { raw: '1' } })
    const entry = json.entries.find(({ event }) => event.type === 'agent-spoke')
    const raw = await server.call('getRaw', { params: { session, seq: String(entry?.seq) } })
    expect(raw.headers.get('content-type')).toBe('application/octet-stream')
    expect(raw.text).toBe(entry?.event['raw'])
    expect(await server.call('getRaw', { params: { session, seq: '1' } })).toMatchObject({
      status: 404,
      json: { code: 'unknown-entry' },
    })
    expect((await server.call('getRaw', { params: { session, seq: '0' } })).status).toBe(404)
    expect((await server.call('getRaw', { params: { session, seq: '999999' } })).status).toBe(404)
  })

  it('[T1] can be read as native lines that are not valid text', async () => {
    const session = (await server.session()) as SessionId
    const bytes = Buffer.from([0x7b, 0xff, 0x00, 0x7d])
    const [entry] = await server.store.journal.append(session, [
      {
        type: 'agent-spoke',
        interaction: null,
        connection: 'c' as never,
        raw: bytes.toString(),
        rawBytes: bytes.toString('base64'),
        chunks: [],
      },
    ])
    const response = await server.send(`/api/sessions/${session}/entries/${entry?.seq}/raw`)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes)
  })
})

it('[P1] replies match the schema of their call, if it has one', () => {
  const streams = [
    'getMetrics',
    'getOpenApi',
    'watchSessions',
    'getRaw',
    'exportInteraction',
    'chat',
    'resumeChat',
  ]
  expect(
    Object.keys(paths)
      .filter(name => !(name in replies))
      .toSorted(),
  ).toEqual(streams.toSorted())
  expect(Object.values(replies).every(schema => schema instanceof z.ZodMiniObject)).toBe(true)
})
