import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paths, type CallName } from '../protocol/api/paths.ts'
import { host, openDragoman, requestOf, type Opened } from './dragoman.fixture.ts'
import { schemasOf } from './read-request.ts'

let house: Opened
beforeAll(async () => {
  house = await openDragoman({ limits: { wrongTokens: 1_000_000 } })
  await house.session('known')
})
afterAll(() => house[Symbol.asyncDispose]())

const params = { session: 'known', prompt: 'p', approval: 'a', rule: 'r', seq: '1' }

/** A body that is right for each call that takes one. */
const bodies: { readonly [Name in CallName]?: unknown } = {
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
  const response = await house.send(other ?? path, { ...usual, ...init, headers })
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

const before = async () => (await house.call('listSessions', { query: { limit: '500' } })).json.sessions

describe('the doors, for every call', () => {
  for (const name of guarded) {
    it(`[S2] ${name} needs the token`, async () => {
      const without = await refused(name, { token: false }, 401, 'not-authenticated')
      expect(without.headers.get('www-authenticate')).toBe('Bearer realm="dragoman"')
      await refused(name, { headers: { authorization: 'Bearer wrong' } }, 401, 'not-authenticated')
      await refused(
        name,
        { token: false, path: `${sentTo(name).path}?token=${house.dragoman.token}` },
        401,
        'not-authenticated',
      )
    })
  }

  for (const name of names)
    it(`[S4] [S5] ${name} is only for our own name and page`, async () => {
      await refused(name, { headers: { host: 'evil.example' } }, 403, 'not-allowed')
      await refused(name, { headers: { origin: 'http://evil.example' } }, 403, 'not-allowed')
      await refused(name, { headers: { 'sec-fetch-site': 'cross-site' } }, 403, 'not-allowed')
    })

  for (const name of unsafe)
    it(`[S6] ${name} takes only JSON, and no cookie without its page`, async () => {
      await refused(
        name,
        { headers: { 'content-type': 'text/plain' }, body: '{}' },
        415,
        'wrong-content-type',
      )
      const { cookie, key } = house.dragoman.inside.guard.signIns.current()
      const headers = { cookie: `dragoman-4400=${cookie}`, 'x-dragoman-key': key }
      await refused(name, { token: false, headers }, 403, 'not-allowed')
    })

  for (const name of guarded)
    it(`[S11] ${name} is refused to whoever has the cookie only, whatever page it claims to come from`, async () => {
      const { cookie } = house.dragoman.inside.guard.signIns.current()
      for (const key of [{}, { 'x-dragoman-key': '' }, { 'x-dragoman-key': cookie }]) {
        const headers = { cookie: `dragoman-4400=${cookie}`, origin: `http://${host}`, ...key }
        await refused(name, { token: false, headers }, 401, 'not-authenticated')
      }
    })

  for (const name of withBody)
    it(`[S25] [S26] ${name} takes no body that is wrong`, async () => {
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
    it(`[S30] ${name} knows no session of a strange name`, async () => {
      const { path } = sentTo(name)
      const at = (id: string) => ({ path: path.replace('known', id) })
      await refused(name, at('nobody'), 404, 'unknown-session')
      await refused(name, at('__proto__'), 404, 'unknown-session')
      for (const id of ['a%0d%0ab', 'a%00', '..%2f..', 'x'.repeat(129), "a'--", '%ff', '%'])
        await refused(name, at(id), 400, 'invalid-input')
    })

  it('[S2] none of this did anything', async () => {
    const sessions = await before()
    expect(sessions.map(({ id, title, seq }) => [id, title, seq])).toEqual([['known', null, 1]])
  })
})

describe('every response', () => {
  it('[S7] says that it is for nobody else', async () => {
    const responses = await Promise.all([
      house.send('/livez'),
      house.send('/api/sessions'),
      house.send('/api/sessions', { headers: { accept: 'text/event-stream' } }),
      house.send('/nowhere'),
      house.send('/api/sessions', { token: false }),
      house.send('/', { token: false }),
      house.send('/'),
      house.send('/dashboard'),
      house.send('/api/chat/never-seen/stream'),
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

  it('[T1] a stream is one, with the same headers', async () => {
    const response = await house.send('/api/sessions/known/entries', {
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

describe('addresses', () => {
  it('[S6] without anything there are told apart from wrong methods', async () => {
    await refused('listSessions', { path: '/api/nothing' }, 404, 'unknown-path')
    const wrong = await refused('listSessions', { method: 'PUT', path: '/api/sessions' }, 405, 'wrong-method')
    expect(wrong.headers.get('allow')).toBe('POST, GET')
    const cors = await refused('listSessions', { method: 'OPTIONS', path: '/api/chat' }, 405, 'wrong-method')
    expect(cors.headers.get('allow')).toBe('POST')
    await refused('listSessions', { path: '/assets/../secrets' }, 404, 'unknown-path')
    await refused('listSessions', { path: '/assets/page.ts' }, 404, 'unknown-path')
    await refused('listSessions', { path: '/assets/__proto__' }, 404, 'unknown-path')
  })

  it('[S27] may not be endless', async () => {
    await refused('listSessions', { path: `/api/sessions?query=${'x'.repeat(9000)}` }, 413, 'too-large')
  })

  it('[P1] a wrong parameter gets a sentence that names it', async () => {
    const told = async (path: string, init: RequestInit = {}) => {
      const response = await house.send(path, init)
      expect(response.status).toBe(400)
      return ((await response.json()) as { detail: string }).detail
    }
    const post = (body: unknown) => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(await told('/api/sessions?limit=0')).toBe('The parameter "limit" must be from 1 to 500.')
    expect(await told('/api/sessions?limit=many')).toBe(
      'The parameter "limit" must be a whole number from 1 to 500.',
    )
    expect(await told('/api/sessions?admin=1')).toBe('The address has the unknown field "admin". Remove it.')
    expect(await told('/api/sessions?limit=1&limit=2')).toBe(
      'A parameter is given twice. Send each one only once.',
    )
    expect(await told('/api/sessions?__proto__=1')).toContain('the unknown field "__proto__"')
    expect(await told('/api/sessions?status=busy')).toBe(
      'The parameter "status" must be idle, running, waiting or failed.',
    )
    expect(await told('/api/openapi.json?x=1')).toBe(
      'GET /api/openapi.json takes no query parameters. Remove them.',
    )
    for (const after of ['-1', '1e99', 'NaN', '0x10', '1.5', '9'.repeat(30), '%00', ''])
      expect(await told(`/api/sessions/known/entries?after=${after}`)).toContain(
        '"after" must be an entry number',
      )
    expect(await told('/api/sessions', post({ cwd: 7 }))).toBe('The field "cwd" must be a string.')
    expect(await told('/api/sessions', post({ extra: 7 }))).toBe(
      'The body has the unknown field "extra". Remove it.',
    )
    expect(await told('/api/sessions/known/prompts', post({}))).toBe(
      'The body needs either "text" or "parts".',
    )
    expect(await told('/api/sessions/known/prompts', post({ parts: [{ type: 'sudo' }] }))).toBe(
      'The field "parts.0.type" must be of a known kind.',
    )
    expect(await told('/api/sessions/known/approvals/a', post({}))).toBe('The field "approved" is missing.')
    expect(await told('/api/sessions/known/interrupt', post({ now: true }))).toBe(
      'POST /api/sessions/:session/interrupt takes no body. Remove it.',
    )
    expect(await told('/api/sessions/a%20b')).toContain(
      'In the address, "session" is not valid: use 1 to 128 letters',
    )
  })

  it('[P1] headers alone can be asked for', async () => {
    const response = await house.send('/api/sessions', { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
    const stream = await house.send('/api/live/sessions', { method: 'HEAD' })
    expect([stream.status, stream.body]).toEqual([200, null])
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/)
  })
})

describe('what goes wrong inside', () => {
  it('[O1] is told outside without its words, and logged with them', async () => {
    const { sessions } = house.dragoman.inside.house
    const broken = {
      ...house.dragoman.inside.house,
      sessions: { ...sessions, list: () => Promise.reject(new Error('inner secret words')) },
    }
    const { createHandler } = await import('./handler.ts')
    const handle = createHandler(broken, house.dragoman.inside.guard)
    const headers = { host, authorization: `Bearer ${house.dragoman.token}` }
    const response = await handle(new Request(`http://${host}/api/sessions`, { headers }))
    const text = await response.text()
    expect([response.status, text.includes('inner secret words')]).toEqual([500, false])
    expect(JSON.parse(text)).toMatchObject({ code: 'internal', status: 500 })
    const line = house.lines.find(each => each.includes('inner secret words')) ?? '{}'
    expect(JSON.parse(line)).toMatchObject({ level: 'error', message: 'GET /api/sessions failed.' })
  })

  it('[O1] no line of the log has the token', async () => {
    await house.send(`/api/${house.dragoman.token}`)
    expect(house.lines.join('')).not.toContain(house.dragoman.token)
    expect(house.lines.length).toBeGreaterThan(0)
    for (const line of house.lines)
      expect(JSON.parse(line)).toMatchObject({
        at: expect.any(String) as string,
        level: expect.any(String) as string,
      })
  })
})
