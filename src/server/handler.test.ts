import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paths, type CallName } from '../protocol/api/paths.ts'
import { host, openDragoman, requestOf, type Opened } from './dragoman.fixture.ts'
import { schemasOf } from './read-request.ts'

let server: Opened
beforeAll(async () => {
  server = await openDragoman({ limits: { wrongTokens: 1_000_000 } })
  await server.session('known')
})
afterAll(() => server[Symbol.asyncDispose]())

const params = { session: 'known', prompt: 'p', approval: 'a', rule: 'r', seq: '1' }

/** A body that is right for each call that takes one. */
const bodies: { readonly [Name in CallName]?: unknown } = {
  changeImports: { following: false },
  changeImport: { paused: true },
  changeSettings: { agent: null },
  startImport: { path: '/nowhere' },
  createSession: { title: 'Made by a test of the doors' },
  changeSession: { title: 'Changed' },
  prompt: { text: 'hello' },
  answerApproval: { approved: true },
  branch: { messageId: 'm' },
  manipulate: { changes: [{ do: 'pin', parts: ['m/0'] }] },
  rollBack: { manipulations: ['m'] },
  merge: { from: 'another' },
  chat: { id: 'chat', messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'hello' }] }] },
}

const names = Object.keys(paths) as CallName[]
const guarded = names.filter(name => name !== 'getLiveness')
const unsafe = names.filter(name => !paths[name].startsWith('GET'))
const withBody = unsafe.filter(name => schemasOf(name).body !== undefined)

const sentTo = (name: CallName) => requestOf(name, { params, body: bodies[name] })

interface Tried extends RequestInit {
  readonly token?: boolean
  readonly path?: string
}

async function refused(name: CallName, { path: other, ...init }: Tried, status: number, code: string) {
  const { path, ...usual } = sentTo(name)
  const headers = { ...usual.headers, ...(init.headers as Record<string, string>) }
  const response = await server.send(other ?? path, { ...usual, ...init, headers })
  const problem = (await response.json()) as Record<string, unknown>
  expect([name, response.status, problem['code']]).toEqual([name, status, code])
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(problem).toMatchObject({
    status,
    type: `urn:dragoman:problem:${code}`,
    title: expect.any(String) as string,
  })
  expect(String(problem['detail'])).toMatch(/^[A-Z].{15,}\.$/)
  return { headers: response.headers, detail: problem['detail'] }
}

const before = async () => (await server.call('listSessions', { query: { limit: '500' } })).json.sessions

describe('the guard, for every call', () => {
  for (const name of guarded) {
    it(`[S2] ${name} needs the token`, async () => {
      const without = await refused(name, { token: false }, 401, 'not-authenticated')
      expect(without.headers.get('www-authenticate')).toBe('Bearer realm="dragoman"')
      await refused(name, { headers: { authorization: 'Bearer wrong' } }, 401, 'not-authenticated')
      await refused(
        name,
        { token: false, path: `${sentTo(name).path}?token=${server.dragoman.token}` },
        401,
        'not-authenticated',
      )
    })
  }

  for (const name of names)
    it(`[S4] [S5] ${name} accepts only our own host and origin`, async () => {
      await refused(name, { headers: { host: 'evil.example' } }, 403, 'not-allowed')
      await refused(name, { headers: { origin: 'http://evil.example' } }, 403, 'not-allowed')
      await refused(name, { headers: { 'sec-fetch-site': 'cross-site' } }, 403, 'not-allowed')
    })

  for (const name of unsafe)
    it(`[S6] ${name} accepts only JSON, and no cookie without an Origin`, async () => {
      await refused(
        name,
        { headers: { 'content-type': 'text/plain' }, body: '{}' },
        415,
        'wrong-content-type',
      )
      const { cookie, key } = server.dragoman.inside.guard.signIns.current()
      const headers = { cookie: `dragoman-4400=${cookie}`, 'x-dragoman-key': key }
      await refused(name, { token: false, headers }, 403, 'not-allowed')
    })

  for (const name of guarded)
    it(`[S11] ${name} refuses the cookie without the key, from any page`, async () => {
      const { cookie } = server.dragoman.inside.guard.signIns.current()
      for (const key of [{}, { 'x-dragoman-key': '' }, { 'x-dragoman-key': cookie }]) {
        const headers = { cookie: `dragoman-4400=${cookie}`, origin: `http://${host}`, ...key }
        await refused(name, { token: false, headers }, 401, 'not-authenticated')
      }
    })

  for (const name of withBody)
    it(`[S25] [S26] ${name} refuses an invalid body`, async () => {
      const json = { headers: { 'content-type': 'application/json' } }
      const bad = ['', '{"a":', '[]', '7', 'null', `${'['.repeat(100_000)}${']'.repeat(100_000)}`]
      for (const body of bad) await refused(name, { ...json, body }, 400, 'invalid-input')
      const polluted = `{"__proto__":{},${JSON.stringify(bodies[name]).slice(1)}`
      const refusal = await refused(name, { ...json, body: polluted }, 400, 'invalid-input')
      expect(refusal.detail).toContain('"__proto__" is not allowed')
      const large = { headers: { ...json.headers, 'content-length': String(17 << 20) } }
      await refused(name, { ...large, body: '{}' }, 413, 'too-large')
      if (name === 'chat') return
      await refused(
        name,
        { ...json, body: JSON.stringify({ ...(bodies[name] as object), more: 1 }) },
        400,
        'invalid-input',
      )
    })

  for (const name of names.filter(each => paths[each].includes(':session') && each !== 'resumeChat'))
    it(`[S30] ${name} refuses invalid session ids`, async () => {
      const { path } = sentTo(name)
      const at = (id: string) => ({ path: path.replace('known', id) })
      await refused(name, at('nobody'), 404, 'unknown-session')
      await refused(name, at('__proto__'), 404, 'unknown-session')
      for (const id of ['a%0d%0ab', 'a%00', '..%2f..', 'x'.repeat(129), "a'--", '%ff', '%'])
        await refused(name, at(id), 400, 'invalid-input')
    })

  it('[S2] none of these calls changed anything', async () => {
    const sessions = await before()
    expect(sessions.map(({ id, title, seq }) => [id, title, seq])).toEqual([['known', null, 1]])
  })
})

describe('every response', () => {
  it('[S7] has headers that keep other sites from using it', async () => {
    const responses = await Promise.all([
      server.send('/livez'),
      server.send('/api/sessions'),
      server.send('/api/sessions', { headers: { accept: 'text/event-stream' } }),
      server.send('/nowhere'),
      server.send('/api/sessions', { token: false }),
      server.send('/', { token: false }),
      server.send('/'),
      server.send('/dashboard'),
      server.send('/api/chat/never-seen/stream'),
    ])
    for (const { headers } of responses) {
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect([...headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
    }
  })

  it('[T1] has the same headers if it is a stream', async () => {
    const response = await server.send('/api/sessions/known/entries', {
      headers: { accept: 'text/event-stream' },
    })
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(response.headers.get('x-frame-options')).toBe('DENY')
    const reader = response.body?.getReader()
    const first = await reader?.read()
    expect(new TextDecoder().decode(first?.value)).toMatch(/^id: 1\ndata: \{"session":"known","seq":1,/)
    await reader?.cancel()
  })
})

describe('paths and queries', () => {
  it('[S6] give 404 for an unknown path and 405 for a wrong method', async () => {
    await refused('listSessions', { path: '/api/nothing' }, 404, 'unknown-path')
    const wrong = await refused('listSessions', { method: 'PUT', path: '/api/sessions' }, 405, 'wrong-method')
    expect(wrong.headers.get('allow')).toBe('POST, GET')
    const cors = await refused('listSessions', { method: 'OPTIONS', path: '/api/chat' }, 405, 'wrong-method')
    expect(cors.headers.get('allow')).toBe('POST')
    await refused('listSessions', { path: '/assets/../secrets' }, 404, 'unknown-path')
    await refused('listSessions', { path: '/assets/page.ts' }, 404, 'unknown-path')
    await refused('listSessions', { path: '/assets/__proto__' }, 404, 'unknown-path')
  })

  it('[S27] have a maximum length', async () => {
    await refused('listSessions', { path: `/api/sessions?query=${'x'.repeat(9000)}` }, 413, 'too-large')
  })

  it('[P1] give an error that names a wrong parameter', async () => {
    const errorOf = async (path: string, init: RequestInit = {}) => {
      const response = await server.send(path, init)
      expect(response.status).toBe(400)
      return ((await response.json()) as { detail: string }).detail
    }
    const post = (body: unknown) => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(await errorOf('/api/sessions?limit=0')).toBe('The parameter "limit" must be from 1 to 500.')
    expect(await errorOf('/api/sessions?limit=many')).toBe(
      'The parameter "limit" must be a whole number from 1 to 500.',
    )
    expect(await errorOf('/api/sessions?admin=1')).toBe(
      'The address has the unknown field "admin". Remove it.',
    )
    expect(await errorOf('/api/sessions?limit=1&limit=2')).toBe(
      'A parameter is given twice. Send each one only once.',
    )
    expect(await errorOf('/api/sessions?__proto__=1')).toContain('the unknown field "__proto__"')
    expect(await errorOf('/api/sessions?status=busy')).toBe(
      'The parameter "status" must be idle, running, waiting or failed.',
    )
    expect(await errorOf('/api/openapi.json?x=1')).toBe(
      'GET /api/openapi.json takes no query parameters. Remove them.',
    )
    for (const after of ['-1', '1e99', 'NaN', '0x10', '1.5', '9'.repeat(30), '%00', ''])
      expect(await errorOf(`/api/sessions/known/entries?after=${after}`)).toContain(
        '"after" must be an entry number',
      )
    expect(await errorOf('/api/sessions', post({ cwd: 7 }))).toBe('The field "cwd" must be a string.')
    expect(await errorOf('/api/sessions', post({ extra: 7 }))).toBe(
      'The body has the unknown field "extra". Remove it.',
    )
    expect(await errorOf('/api/sessions/known/prompts', post({}))).toBe(
      'The body needs either "text" or "parts".',
    )
    expect(await errorOf('/api/sessions/known/prompts', post({ parts: [{ type: 'sudo' }] }))).toBe(
      'The field "parts.0.type" must be of a known kind.',
    )
    expect(await errorOf('/api/sessions/known/approvals/a', post({}))).toBe(
      'The field "approved" is missing.',
    )
    expect(await errorOf('/api/sessions/known/interrupt', post({ now: true }))).toBe(
      'POST /api/sessions/:session/interrupt takes no body. Remove it.',
    )
    expect(await errorOf('/api/sessions/a%20b')).toContain(
      'In the address, "session" is not valid: use 1 to 128 letters',
    )
  })

  it('[P1] support HEAD', async () => {
    const response = await server.send('/api/sessions', { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
    const stream = await server.send('/api/live/sessions', { method: 'HEAD' })
    expect([stream.status, stream.body]).toEqual([200, null])
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/)
  })
})

describe('an unexpected error', () => {
  it('[O1] is reported to the client without details, and logged with them', async () => {
    const { sessions } = server.dragoman.inside.parts
    const broken = {
      ...server.dragoman.inside.parts,
      sessions: { ...sessions, list: () => Promise.reject(new Error('inner secret words')) },
    }
    const { createHandler } = await import('./handler.ts')
    const handle = createHandler(broken, server.dragoman.inside.guard)
    const headers = { host, authorization: `Bearer ${server.dragoman.token}` }
    const response = await handle(new Request(`http://${host}/api/sessions`, { headers }))
    const text = await response.text()
    expect([response.status, text.includes('inner secret words')]).toEqual([500, false])
    expect(JSON.parse(text)).toMatchObject({ code: 'internal', status: 500 })
    const line = server.lines.find(each => each.includes('inner secret words')) ?? '{}'
    expect(JSON.parse(line)).toMatchObject({ level: 'error', message: 'GET /api/sessions failed.' })
  })

  it('[O1] no line of the log has the token', async () => {
    await server.send(`/api/${server.dragoman.token}`)
    expect(server.lines.join('')).not.toContain(server.dragoman.token)
    expect(server.lines.length).toBeGreaterThan(0)
    for (const line of server.lines)
      expect(JSON.parse(line)).toMatchObject({
        at: expect.any(String) as string,
        level: expect.any(String) as string,
      })
  })
})
