import { WebSocket } from 'ws'
import { sendBytes } from './send.ts'
import { honest, type Target } from './target.ts'

/** An attack that needs more than one request; it gives what went wrong, or null. */
export interface SocketAttack {
  readonly name: string
  run(): Promise<string | null>
}

/** The upgrade, and then a close frame with the code 1009. */
const tooBig = new RegExp(String.raw`101 Switching[\s\S]*\x88[\s\S]\x03\xf1`)

const doors = ['/api/ws', '/api/chat/ws']

/** Tries the WebSockets and the bare sockets below. */
export function attacksOnSockets(target: Target): readonly SocketAttack[] {
  return [...attacksOnUpgrade(target), ...attacksByFrames(target), ...attacksByBytes(target)]
}

function attacksOnUpgrade(target: Target): readonly SocketAttack[] {
  const { port, token, cookie } = target
  const host = `127.0.0.1:${port}`
  const origin = `http://${host}`
  const key = `dragoman, dragoman-key.${cookie.replace(/^.*=/, '')}`
  const authorization = `Bearer ${token}`
  const wrong: readonly (readonly [string, Readonly<Record<string, string>>, readonly number[]])[] = [
    ['no token', { host }, [401]],
    ['a wrong token', { host, authorization: 'Bearer no' }, [401, 429]],
    ['a foreign host', { host: 'evil.example', authorization }, [403]],
    ['a host that begins like ours', { host: `127.0.0.1.evil.example:${port}`, authorization }, [403]],
    ['a foreign origin', { host, authorization, origin: 'http://evil.example' }, [403]],
    ['the origin null', { host, authorization, origin: 'null' }, [403]],
    ['an origin of another scheme', { host, authorization, origin: `https://${host}` }, [403]],
    ['the cookie of a browser and its origin', { host, cookie, origin }, [401]],
    [
      'the cookie of a browser in all places',
      { host, cookie, origin, 'sec-websocket-protocol': key },
      [401, 429],
    ],
    ['a wrong cookie', { host, cookie: `dragoman-${port}=no`, origin: `http://${host}` }, [401, 429]],
  ]
  return doors.flatMap(path =>
    wrong.map(([what, headers, refused]) => ({
      name: `a WebSocket on ${path} with ${what}`,
      run: async () => {
        const status = await upgradeStatus(port, path, headers)
        return refused.includes(status) ? null : `got ${status} instead of ${refused.join(' or ')}`
      },
    })),
  )
}

function upgradeStatus(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  return new Promise(resolve => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers })
    socket.on('unexpected-response', (_request, answer) => resolve(answer.statusCode ?? 0))
    socket.on('open', () => {
      socket.terminate()
      resolve(101)
    })
    socket.on('error', () => resolve(0))
  })
}

function attacksByFrames(target: Target): readonly SocketAttack[] {
  const garbage: readonly (readonly [string, string | Buffer])[] = [
    ['no JSON', '{'],
    ['no object', '7'],
    ['an unknown type', '{"type":"sudo"}'],
    ['bytes', Buffer.from([0xff, 0xfe, 0x00])],
    ['a prototype', '{"type":"follow","__proto__":{"x":1},"session":"__proto__","after":0}'],
    ['a depth of 100,000', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['a negative cursor', '{"type":"follow","session":"nobody","after":-1}'],
    ['a session that is none', '{"type":"follow","session":"nobody","after":0}'],
    ['a command that is none', '{"type":"command","id":"1","command":{"type":"rm"}}'],
    ['two megabytes', JSON.stringify({ type: 'ping', more: 'x'.repeat(2 << 20) })],
  ]
  const frames = doors.flatMap(path =>
    garbage.map(([what, frame]) => ({
      name: `a frame on ${path} with ${what}`,
      run: () => answersOrCloses(target, path, [frame]),
    })),
  )
  const many = Array.from({ length: 10_000 }, (_, at) =>
    JSON.stringify({ type: 'follow', session: `nobody-${at}`, after: 0 }),
  )
  return [
    ...frames,
    { name: '10,000 follows on one socket', run: () => answersOrCloses(target, '/api/ws', many) },
  ]
}

/** A bad frame must be answered, or the socket closed with a code. */
function answersOrCloses(
  target: Target,
  path: string,
  frames: readonly (string | Buffer)[],
): Promise<string | null> {
  return new Promise(resolve => {
    const socket = new WebSocket(`ws://127.0.0.1:${target.port}${path}`, { headers: honest(target) })
    const done = (fault: string | null) => {
      socket.terminate()
      resolve(fault)
    }
    socket.on('open', () => {
      for (const frame of frames) socket.send(frame)
    })
    socket.on('message', (data: Buffer) => {
      const { type } = JSON.parse(data.toString()) as { type: string }
      done(
        ['reply', 'gone', 'error', 'reset', 'no-active'].includes(type) ? null : `was answered with ${type}`,
      )
    })
    socket.on('close', code => done(code >= 1002 ? null : `was closed with ${code}`))
    socket.on('error', () => done(null))
    setTimeout(() => done('got no answer'), 5000)
  })
}

function attacksByBytes(target: Target): readonly SocketAttack[] {
  const { port } = target
  const host = `127.0.0.1:${port}`
  const opening = `Host: ${host}\r\nAuthorization: Bearer ${target.token}\r\n`
  const json = 'Content-Type: application/json\r\n'
  const shots: readonly (readonly [string, string, RegExp])[] = [
    ['no HTTP', 'HELO evil\r\n\r\n', /^HTTP\/1\.1 400/],
    ['no host', 'GET /api/sessions HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 40[03]/],
    ['two hosts', `GET /api/sessions HTTP/1.1\r\n${opening}Host: evil.example\r\n\r\n`, /^HTTP\/1\.1 40[03]/],
    [
      'two lengths',
      `POST /api/sessions HTTP/1.1\r\n${opening}${json}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}   `,
      /^HTTP\/1\.1 400/,
    ],
    [
      'a length and pieces',
      `POST /api/sessions HTTP/1.1\r\n${opening}${json}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      /^HTTP\/1\.1 400/,
    ],
    ['a bare line feed', `GET /api/sessions HTTP/1.1\nHost: ${host}\n\n`, /^HTTP\/1\.1 4\d\d/],
    [
      'an absolute foreign address',
      `GET http://evil.example/api/sessions HTTP/1.1\r\n${opening}\r\n`,
      /^HTTP\/1\.1 40[034]/,
    ],
    ['CONNECT', `CONNECT evil.example:80 HTTP/1.1\r\n${opening}\r\n`, /^(HTTP\/1\.1 4\d\d|$)/],
    [
      'a WebSocket frame of a gigabyte',
      `GET /api/ws HTTP/1.1\r\n${opening}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n\x81\xff\x00\x00\x00\x00\x40\x00\x00\x00\x00\x00\x00\x00`,
      tooBig,
    ],
  ]
  return shots.map(([what, bytes, wanted]) => ({
    name: `bytes with ${what}`,
    run: async () => {
      const got = await sendBytes(port, Buffer.from(bytes, 'latin1'))
      return wanted.test(got) ? null : `got ${JSON.stringify(got.slice(0, 120))}`
    },
  }))
}
