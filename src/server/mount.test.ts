import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { host, openDragoman } from './dragoman.fixture.ts'
import { createNodeListener } from './node/node-listener.ts'

describe('a server inside another', () => {
  it('[P1] can be mounted in Hono as a function', async () => {
    await using house = await openDragoman()
    const app = new Hono()
    app.get('/own', context => context.text('ours'))
    app.mount('/', house.dragoman.handler)
    const headers = { host, authorization: `Bearer ${house.dragoman.token}` }
    expect(await (await app.request(`http://${host}/own`)).text()).toBe('ours')
    expect((await app.request(`http://${host}/api/sessions`)).status).toBe(401)
    const created = await app.request(`http://${host}/api/sessions`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"id":"mounted"}',
    })
    expect(created.status).toBe(201)
    const stream = await app.request(`http://${host}/api/sessions/mounted/entries`, {
      headers: { ...headers, accept: 'text/event-stream' },
    })
    const reader = stream.body?.getReader()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain('"session-created"')
    await reader?.cancel()
  })

  it('[P1] works in any Node server, with its host name', async () => {
    await using house = await openDragoman({ hosts: ['dragoman.example'] })
    const server = createServer(createNodeListener(house.dragoman)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const ask = async (name: string) => {
      const [answer] = (await once(get({ port, path: '/livez', headers: { host: name } }), 'response')) as [
        IncomingMessage,
      ]
      return answer.statusCode
    }
    expect(await ask('dragoman.example')).toBe(200)
    expect(await ask(`127.0.0.1:${port}`)).toBe(403)
    server.closeAllConnections()
    server.close()
  })

  it('[S2] needs a valid token and an agent', async () => {
    await expect(openDragoman({ token: '' })).rejects.toThrow('The token must have 16 to 512')
    await expect(openDragoman({ token: 'short' })).rejects.toMatchObject({ code: 'invalid-input' })
    await expect(openDragoman({ agents: [] })).rejects.toThrow('The server needs at least one agent')
  })

  it('[P1] reports that it cannot read a line that is stored in a file', async () => {
    await using house = await openDragoman({ rawBytes: undefined as never })
    const session = (await house.session()) as never
    const rawFile = { name: 'a'.repeat(64), bytes: 5, sha256: 'b' }
    const [entry] = await house.store.journal.append(session, [
      { type: 'agent-spoke', interaction: null, connection: 'c' as never, raw: 'begin', rawFile, chunks: [] },
    ])
    const reply = await house.call('getRaw', { params: { session, seq: String(entry?.seq) } })
    expect(reply).toMatchObject({ status: 404, json: { code: 'unknown-entry' } })
    expect(reply.text).toContain('rawBytes')
  })
})
