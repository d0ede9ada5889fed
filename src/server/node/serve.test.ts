import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDragoman, type Opened } from '../dragoman.fixture.ts'
import type { DragomanOptions } from '../create-dragoman.ts'
import { serve, type Serving } from './serve.ts'

interface Running extends AsyncDisposable {
  readonly opened: Opened
  readonly serving: Serving
  readonly token: Readonly<Record<string, string>>
}

async function start(more: Partial<DragomanOptions> = {}): Promise<Running> {
  const opened = await openDragoman(more)
  const serving = await serve({ dragoman: opened.dragoman, port: 0 })
  return {
    opened,
    serving,
    token: { authorization: `Bearer ${opened.dragoman.token}` },
    async [Symbol.asyncDispose]() {
      await serving[Symbol.asyncDispose]()
      await opened[Symbol.asyncDispose]()
    },
  }
}

let running: Running
beforeAll(async () => {
  running = await start({ limits: { headersMs: 400, connections: 20 } })
})
afterAll(() => running[Symbol.asyncDispose]())

interface Sent extends Omit<RequestInit, 'headers'> {
  readonly headers?: Readonly<Record<string, string>>
}

const get = (path: string, { headers, ...init }: Sent = {}) =>
  fetch(`${running.serving.url}${path}`, { ...init, headers: { ...running.token, ...headers } })

/** Sends bytes and gives all that comes back until the other side closes. */
async function exchange(bytes: string | Buffer, port = running.serving.port): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  return readAll(socket)
}

function readAll(socket: Socket): Promise<string> {
  const pieces: Buffer[] = []
  socket.on('data', (piece: Buffer) => pieces.push(piece))
  // A connection that is cut is one of the answers.
  socket.on('error', () => socket.destroy())
  return new Promise(resolve => socket.once('close', () => resolve(Buffer.concat(pieces).toString())))
}

const head = (more = '') =>
  `Host: 127.0.0.1:${running.serving.port}\r\nAuthorization: ${running.token['authorization']}\r\nConnection: close\r\n${more}`

describe('a server on a port', () => {
  it('[P1] answers under each of its host names', async () => {
    const { port, url } = running.serving
    expect(url).toBe(`http://127.0.0.1:${port}`)
    for (const name of ['127.0.0.1', 'localhost', '[::1]'])
      expect(
        await exchange(`GET /livez HTTP/1.1\r\nHost: ${name}:${port}\r\nConnection: close\r\n\r\n`),
      ).toMatch(/^HTTP\/1\.1 200/)
    for (const name of [
      'evil.example',
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.1:${port}@evil`,
    ])
      expect(await exchange(`GET /livez HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 40[03] [^]*"detail":"/,
      )
  })

  it('[S4] checks the Host header, and a full URL must match it', async () => {
    const { port } = running.serving
    const whole = (name: string) =>
      exchange(`GET http://${name}/livez HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`)
    expect(await whole(`127.0.0.1:${port}`)).toMatch(/^HTTP\/1\.1 200/)
    expect(await whole('evil.example')).toMatch(/^HTTP\/1\.1 403 [^]*does not proxy/)
    expect(await whole(`127.0.0.1:${port}@evil.example`)).toMatch(/^HTTP\/1\.1 403/)
    expect(
      await exchange(
        `GET http://127.0.0.1:${port}/livez HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
      ),
    ).toMatch(/^HTTP\/1\.1 403/)
    expect(await exchange('GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [^]*"detail":"/,
    )
  })

  it('[S4] does not trust the scheme of a full URL', async () => {
    const { port } = running.serving
    const post = (address: string, origin: string) =>
      exchange(
        `POST ${address}/api/tickets HTTP/1.1\r\n${head()}Origin: ${origin}\r\nContent-Length: 0\r\n\r\n`,
      )
    const place = `127.0.0.1:${port}`
    expect(await post(`http://${place}`, `http://${place}`)).toMatch(/^HTTP\/1\.1 201/)
    expect(await post(`https://${place}`, `https://${place}`)).toMatch(/^HTTP\/1\.1 403/)
    expect(await post(`http://someone@${place}`, `http://${place}`)).toMatch(/^HTTP\/1\.1 403/)
  })

  it('[P1] accepts and returns JSON', async () => {
    const created = await get('/api/sessions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"id":"over-http"}',
    })
    expect(created.status).toBe(201)
    expect(await (await get('/api/sessions/over-http')).json()).toMatchObject({ id: 'over-http' })
  })

  it('[T1] streams entries as they are saved', async () => {
    const id = await running.opened.session()
    const gone = new AbortController()
    const response = await get(`/api/sessions/${id}/entries`, {
      headers: { accept: 'text/event-stream' },
      signal: gone.signal,
    })
    expect(response.headers.get('x-frame-options')).toBe('DENY')
    await get(`/api/sessions/${id}/prompts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"text":"hello"}',
    })
    let text = ''
    for await (const piece of response.body ?? []) {
      text += Buffer.from(piece).toString()
      if (text.includes('"interaction-ended"')) break
    }
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq))
    expect(ids).toEqual(ids.map((_, at) => at + 1))
    gone.abort()
  })

  it('[O1] measures the delay of its event loop', async () => {
    const text = await (await get('/metrics')).text()
    expect(text).toMatch(/^dragoman_event_loop_lag [\d.e-]+$/m)
    expect(text).toMatch(/^dragoman_wal_bytes \d+$/m)
    // From the streams above.
    expect(text).toMatch(/^dragoman_emit_lag_seconds_count [1-9]/m)
    const [, seconds] = /^dragoman_emit_lag_seconds_sum (.+)$/m.exec(text) ?? []
    expect(Number(seconds)).toBeLessThan(5)
  })

  it('[P1] does not start on a port that is in use, and reports it', async () => {
    const { port } = running.serving
    await using other = await openDragoman()
    const second = serve({ dragoman: other.dragoman, port })
    await expect(second).rejects.toMatchObject({
      code: 'address-in-use',
      message: expect.stringContaining(`port ${port}. The port is in use`) as string,
    })
  })
})

describe('hostile bytes', () => {
  it('[S27] get an error if they are not HTTP', async () => {
    const shots = [
      'HELO evil\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      `GET / HTTP/1.1\r\n${head()}X Y: 1\r\n\r\n`,
      `POST /api/sessions HTTP/1.1\r\n${head('Content-Length: 1\r\nContent-Length: 2\r\n')}\r\nx`,
      `POST /api/sessions HTTP/1.1\r\n${head('Content-Length: 3\r\nTransfer-Encoding: chunked\r\n')}\r\n0\r\n\r\n`,
      Buffer.from([0x16, 0x03, 0x01, 0x00, 0xff]),
    ]
    for (const shot of shots)
      expect(await exchange(shot), String(shot)).toMatch(
        /^HTTP\/1\.1 400 Bad Request\r\n[^]*application\/problem\+json[^]*"code":"invalid-input"/,
      )
  })

  it('[S27] get an error if their headers are too long', async () => {
    const answer = await exchange(`GET / HTTP/1.1\r\n${head()}X: ${'x'.repeat(20_000)}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 431 [^]*"status":431,[^]*"code":"too-large"/)
  })

  it('[S27] get a timeout', async () => {
    const began = performance.now()
    const socket = connect(running.serving.port, '127.0.0.1')
    socket.write('GET /livez HTTP/1.1\r\nHost: ')
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 408 [^]*took too long/)
    expect(performance.now() - began).toBeLessThan(30_000)
  })

  it('[S26] are not read beyond the maximum length of a body, announced or not', async () => {
    const json = 'Content-Type: application/json\r\n'
    const announced = await exchange(
      `POST /api/sessions HTTP/1.1\r\n${head(`${json}Content-Length: 99999999999\r\n`)}\r\n{`,
    )
    expect(announced).toMatch(/^HTTP\/1\.1 413 [^]*larger than 16 MiB/)
    const socket = connect(running.serving.port, '127.0.0.1')
    socket.write(`POST /api/sessions HTTP/1.1\r\n${head(`${json}Transfer-Encoding: chunked\r\n`)}\r\n`)
    const answer = readAll(socket)
    const piece = `100000\r\n${' '.repeat(1 << 20)}\r\n`
    for (let sent = 0; sent < 40 && socket.writable; sent++) {
      socket.write(piece)
      await expect.poll(() => socket.writable && socket.writableNeedDrain).toBe(false)
    }
    expect((await answer) || 'HTTP/1.1 413 cut off').toMatch(/^HTTP\/1\.1 413 /)
    expect(socket.bytesWritten).toBeLessThan(40 << 20)
  })

  it('[S27] cannot open more connections than allowed', async () => {
    const sockets = Array.from({ length: 40 }, () =>
      connect(running.serving.port, '127.0.0.1').on('error', () => {}),
    )
    await expect.poll(() => sockets.filter(({ connecting }) => connecting)).toEqual([])
    await expect
      .poll(() => sockets.filter(({ readyState }) => readyState === 'open').length)
      .toBeLessThanOrEqual(20)
    for (const socket of sockets) socket.destroy()
    await expect.poll(async () => (await get('/livez')).status).toBe(200)
  })

  it('[S27] do not harm the server', async () => {
    await exchange('GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    const socket = connect(running.serving.port, '127.0.0.1')
    const half = `POST /api/sessions HTTP/1.1\r\n${head('Content-Type: application/json\r\nContent-Length: 50\r\n')}\r\n{"title":`
    await new Promise(sent => socket.write(half, sent))
    socket.destroy()
    expect((await get('/readyz')).status).toBe(200)
    expect(running.opened.lines.filter(line => line.includes('"level":"error"'))).toEqual([])
  })
})

describe('the shutdown', () => {
  it('[R2] ends streams with the position to continue from, stops agents properly, and is quick', async () => {
    const ending = await start()
    const { opened, serving, token } = ending
    const id = await opened.session()
    const stream = await fetch(`${serving.url}/api/sessions/${id}/entries`, {
      headers: { ...token, accept: 'text/event-stream' },
    })
    await opened.call('prompt', { params: { session: id }, body: { text: 'a hang' } })
    const spoken = async () =>
      (await opened.store.journal.read(id as never, 0, 1000)).map(({ event }) => event.type)
    await expect.poll(spoken).toContain('agent-spoke')
    const began = performance.now()
    opened.dragoman.drain()
    expect((await fetch(`${serving.url}/readyz`, { headers: token })).status).toBe(503)
    const refused = await fetch(`${serving.url}/api/sessions/${id}/prompts`, {
      method: 'POST',
      headers: { ...token, 'content-type': 'application/json' },
      body: '{"text":"more"}',
    })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.json()).toMatchObject({ code: 'draining' })
    const ended = serving[Symbol.asyncDispose]()
    const text = await stream.text()
    const seqs = [...text.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq))
    expect(text.trimEnd()).toMatch(new RegExp(`event: draining\ndata: {"after":${seqs.at(-1)}}$`))
    await ended
    expect(performance.now() - began).toBeLessThan(9000)
    await expect(fetch(`${serving.url}/livez`)).rejects.toThrow()
    const entries = await opened.store.journal.read(id as never, 0, 1000)
    const last = entries.map(({ event }) => event).find(({ type }) => type === 'interaction-ended')
    expect(last).toMatchObject({ outcome: 'interrupted' })
    await opened[Symbol.asyncDispose]()
  })
})
