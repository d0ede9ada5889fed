import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { eventually, openServed, type Served } from '../streams/served.fixture.ts'
import { talk } from './talk.fixture.ts'

const metric = (served: Served, text: string) => async () =>
  (await served.dragoman.inside.parts.metrics.registry.text()).includes(text)

/** A frame of a client as bytes, masked with zeros. */
function bytesOf(opcode: number, payload: Buffer, fin = true): Buffer {
  const { length } = payload
  const head =
    length < 126
      ? Buffer.from([0, 0x80 | length])
      : length < 65_536
        ? Buffer.from([0, 0x80 | 126, length >> 8, length & 255])
        : Buffer.concat([Buffer.from([0, 0x80 | 127, 0, 0, 0, 0]), uint32(length)])
  head[0] = (fin ? 0x80 : 0) | opcode
  return Buffer.concat([head, Buffer.alloc(4), payload])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

describe('invalid frames', () => {
  it('[R2] get an error, and the socket stays open', async () => {
    const served = await openServed()
    const one = await talk(served)
    const garbage = [
      'no json',
      '{"type":',
      '[]',
      'null',
      '42',
      '{}',
      '{"type":"unknown"}',
      '{"type":"follow"}',
      '{"type":"follow","session":"a b"}',
      '{"type":"follow","session":"s\\r\\n","after":0}',
      '{"type":"follow","session":"s","after":-1}',
      '{"type":"follow","session":"s","after":1e400}',
      '{"type":"follow","session":"s","after":"0"}',
      '{"type":"follow","session":"s","after":0,"more":1}',
      '{"type":"ping","__proto__":{"x":1}}',
      '['.repeat(100_000),
      JSON.stringify({ type: 'command', id: { deep: 1 }, command: {} }),
    ]
    for (const frame of garbage) one.say(frame)
    await one.until(frames => frames.length === garbage.length)
    for (const frame of one.frames)
      expect(frame).toMatchObject({
        type: 'error',
        error: { code: 'invalid-input', message: expect.stringMatching(/\.$/) },
      })
    one.say({ type: 'ping' })
    await one.next('pong')
  })

  it('[R2] close only their own socket if they are binary, too long or malformed', async () => {
    const served = await openServed()
    const other = await talk(served)
    const binary = await talk(served)
    binary.socket.send(Buffer.from([1, 2, 3]))
    expect(await binary.closed).toBe(1003)
    const long = await talk(served)
    long.socket.send(`{"type":"ping"${' '.repeat(1 << 20)}}`)
    expect(await long.closed).toBe(1009)
    expect(
      await rawly(served, Buffer.from([0x81, 0xff, 0x00, 0x00, 0x00, 0x00, 0x40, 0, 0, 0, 0, 0, 0, 0])),
    ).toBe(1009)
    expect(await rawly(served, bytesOf(1, Buffer.from([0xff, 0xfe])))).toBe(1007)
    expect(await rawly(served, bytesOf(3, Buffer.from('x')))).toBe(1002)
    expect(await rawly(served, Buffer.from([0x81, 0x05, 1, 2, 3, 4, 5]))).toBe(1002)
    const crumbs = Buffer.concat(
      Array.from({ length: 20_000 }, (_, index) => bytesOf(index === 0 ? 1 : 0, Buffer.from(' '), false)),
    )
    expect(await rawly(served, crumbs)).toBe(1008)
    other.say({ type: 'ping' })
    await other.next('pong')
    await eventually(metric(served, 'clients{kind="websocket"} 1')).toBe(true)
  })

  it('[R2] fragments are joined', async () => {
    const served = await openServed()
    const pieces = Array.from('{"type":"nothing"}').map((letter, index, all) =>
      bytesOf(index === 0 ? 1 : 0, Buffer.from(letter), index === all.length - 1),
    )
    expect(await rawly(served, Buffer.concat(pieces), '}}')).toContain('"type":"error"')
  })

  it('[R2] a socket cannot follow more sessions than allowed', async () => {
    const served = await openServed({ limits: { followsPerSocket: 3 } })
    const session = await served.filled('s', 2)
    const one = await talk(served)
    for (let index = 0; index < 200; index++) one.say({ type: 'follow', session: `s${index}`, after: 0 })
    one.say({ type: 'follow', session, after: 0 })
    await one.until(frames => frames.length >= 200)
    expect(one.frames.filter(({ type }) => type === 'error').length).toBeGreaterThan(0)
    for (const frame of one.frames)
      if (frame.type === 'error') expect(frame).toMatchObject({ error: { code: 'too-many-connections' } })
    // The follows of unknown sessions have ended, so there is room again.
    one.say({ type: 'follow', session, after: 0 })
    await one.until(() => one.seqs(session).length === 3)
  })

  it('[R2] a client that does not answer pings is disconnected, and no other', async () => {
    const served = await openServed({ limits: { heartbeatMs: 75, pingMs: 150 } })
    const there = await talk(served)
    let pings = 0
    there.socket.on('ping', () => (pings += 1))
    const gone = await talk(served, '/api/ws', { autoPong: false })
    expect(await gone.closed).toBe(1006)
    const had = pings
    await expect.poll(() => pings).toBeGreaterThan(had + 2)
    expect(there.socket.readyState).toBe(WebSocket.OPEN)
  })

  it('[S2] upgrades need credentials and a known path, and their number is limited', async () => {
    const served = await openServed({ limits: { sockets: 1 } })
    const statusOf = (path: string, headers: Readonly<Record<string, string>>) =>
      new Promise<number | undefined>((resolve, reject) => {
        const socket = new WebSocket(`${served.url.replace('http', 'ws')}${path}`, { headers })
        socket.once('unexpected-response', (_, response) => resolve(response.statusCode))
        socket.once('open', () => resolve(101))
        socket.once('error', reject)
      })
    expect(await statusOf('/api/ws', {})).toBe(401)
    expect(await statusOf('/api/ws', { authorization: 'Bearer wrong' })).toBe(401)
    expect(await statusOf('/api/ws', { ...served.headers, origin: 'http://evil.example' })).toBe(403)
    expect(await statusOf('/api/ws', { ...served.headers, host: 'evil.example' })).toBe(403)
    expect(await statusOf('/api/nothing', served.headers)).toBe(404)
    expect(await statusOf('/api/chat/ws?dialect=v9', served.headers)).toBe(400)
    expect(await statusOf('/api/ws', served.headers)).toBe(101)
    expect(await statusOf('/api/ws', served.headers)).toBe(503)
  })
})

/** Sends bytes unchanged, and returns the close code of the server; with `until`, its output instead. */
async function rawly(served: Served, bytes: Buffer): Promise<number>
async function rawly(served: Served, bytes: Buffer, until: string): Promise<string>
async function rawly(served: Served, bytes: Buffer, until?: string): Promise<number | string> {
  const { host, hostname, port } = new URL(served.url)
  const socket = connect(Number(port), hostname)
  const { authorization = '' } = served.headers
  socket.write(
    `GET /api/ws HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\nConnection: Upgrade\r\n` +
      'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  )
  let received = Buffer.alloc(0)
  let sent = false
  // A connection that is cut is one of the answers.
  socket.on('error', () => socket.destroy())
  return new Promise(resolve => {
    socket.on('data', (piece: Buffer) => {
      received = Buffer.concat([received, piece])
      if (!sent && received.includes('\r\n\r\n')) {
        sent = true
        received = Buffer.alloc(0)
        socket.write(bytes)
      }
      if (until !== undefined && received.includes(until)) {
        socket.destroy()
        resolve(received.toString())
      }
      const close = received.indexOf(0x88)
      if (close !== -1 && received.length >= close + 4 && until === undefined) {
        socket.destroy()
        resolve(received.readUInt16BE(close + 2))
      }
    })
    socket.once('close', () => resolve(1006))
  })
}
