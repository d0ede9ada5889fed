import { describe, expect, it } from 'vitest'
import { createCaller } from './call.ts'
import { isPassing } from './refusal.ts'
import { readUsage } from './usage/index.ts'

interface Asked {
  readonly url: string
  readonly init: RequestInit
}

function setUp(response: () => Response | Promise<Response>) {
  const asked: Asked[] = []
  const caller = createCaller({
    url: 'http://there',
    token: 'secret',
    timeoutMs: 50,
    fetch: async (url, init = {}) => {
      asked.push({ url: url as string, init })
      return response()
    },
  })
  return { caller, asked }
}

const problem = (status: number, body: object) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/problem+json' } })

describe('createCaller', () => {
  it('[C1] fills in paths and queries, and sends the token and the body', async () => {
    const { caller, asked } = setUp(() => Response.json({ messages: [], next: null, asOf: 3 }))
    const query = { before: '7', exclude: 'running' } as const
    const reply = await caller.call('listMessages', { params: { session: 'a:b' }, query })
    expect(reply.asOf).toBe(3)
    await caller.call('prompt', { params: { session: 's' }, body: { text: 'hi' } })
    expect(asked.map(({ url }) => url)).toEqual([
      'http://there/api/sessions/a%3Ab/messages?before=7&exclude=running',
      'http://there/api/sessions/s/prompts',
    ])
    expect(asked[0]?.init).toMatchObject({ method: 'GET', headers: { authorization: 'Bearer secret' } })
    expect(asked[1]?.init).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"text":"hi"}',
    })
  })

  it('[C1] makes rare calls by the path that the caller passes', async () => {
    const { caller, asked } = setUp(() => Response.json({ rows: [] }))
    await readUsage(caller, { by: 'day,agent', zone: 'Europe/Berlin' })
    await caller.request('GET /metrics')
    expect(asked.map(({ url }) => url)).toEqual([
      'http://there/api/usage?by=day%2Cagent&zone=Europe%2FBerlin',
      'http://there/metrics',
    ])
  })

  it('[C1] throws the error of the server with its code and details', async () => {
    const winner = { approved: true }
    const body = {
      type: 'urn:x',
      title: 'No',
      status: 409,
      detail: 'It was answered.',
      code: 'approval-settled',
      winner,
    }
    const { caller } = setUp(() => problem(409, body))
    await expect(
      caller.call('answerApproval', { params: { session: 's', approval: 'a' }, body: { approved: false } }),
    ).rejects.toMatchObject({ code: 'approval-settled', message: 'It was answered.', details: { winner } })
  })

  it('[C1] knows which errors are temporary', async () => {
    const passes = async (response: () => Response | Promise<Response>) =>
      isPassing(
        await setUp(response)
          .caller.call('listAgents')
          .catch((error: unknown) => error),
      )
    expect(await passes(() => Promise.reject(new TypeError('fetch failed')))).toBe(true)
    expect(await passes(() => problem(503, { code: 'draining', detail: 'Ending.' }))).toBe(true)
    expect(await passes(() => new Response('<html>', { status: 502 }))).toBe(true)
    expect(await passes(() => new Response('{"cut', { status: 200 }))).toBe(true)
    expect(await passes(() => new Response('too big', { status: 413 }))).toBe(false)
    expect(await passes(() => problem(404, { code: 'unknown-session', detail: 'No.' }))).toBe(false)
    expect(await passes(() => problem(503, { code: 'agent-unavailable', detail: 'No.' }))).toBe(false)
  })

  it('[C1] ends a call after the timeout, and one that is aborted', async () => {
    const never = (init: RequestInit) =>
      new Promise<Response>((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
      })
    const caller = createCaller({ url: '', timeoutMs: 20, fetch: (_, init = {}) => never(init) })
    await expect(caller.call('listAgents')).rejects.toMatchObject({ name: 'UnreachableError', status: null })
    const stop = new AbortController()
    const call = caller.call('listAgents', undefined, { signal: stop.signal })
    stop.abort()
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
  })
})
