import type { Attack } from './attack.ts'
import { honest, honestJson, type Target } from './target.ts'

/** Tries to get access with forged headers, and to break the server with a request. */
export function attacksOnTheDoor(target: Target): readonly Attack[] {
  const { port, token } = target
  const host = `127.0.0.1:${port}`
  const list = { method: 'GET', path: '/api/sessions' }
  const create = { method: 'POST', path: '/api/sessions', body: '{"agent":"scripted"}' }
  const hosts = [
    'evil.example',
    `127.0.0.1.evil.example:${port}`,
    `evil.example:${port}`,
    `127.0.0.1:${port}@evil.example`,
    `localhost.evil.example:${port}`,
    '127.0.0.1:1',
    '[::1]:1',
    `0.0.0.0:${port}`,
    `127.1:${port}`,
    '',
  ]
  const origins = [
    'http://evil.example',
    'null',
    `http://127.0.0.1.evil.example:${port}`,
    `http://127.0.0.1:${port}@evil.example`,
    'http://localhost.evil.example',
    'http://127.0.0.1:1',
    `http://127.0.0.1:${port}.evil.example`,
    `ftp://127.0.0.1:${port}`,
    `https://127.0.0.1:${port}`,
    `ws://127.0.0.1:${port}`,
    'file://',
  ]
  const tokens = [
    '',
    'x',
    token.slice(0, -1),
    `${token}x`,
    token.toUpperCase(),
    ' '.repeat(40),
    'x'.repeat(5000),
  ]
  const schemes = [`Basic ${token}`, token, `Bearer  `, `bearer${token}`, `Bearer ${token},Bearer x`]
  return [
    ...hosts.map(foreign => ({
      name: `the host "${foreign}"`,
      shot: { ...list, headers: { ...honest(target), host: foreign } },
      refused: [403, 400],
      plain: foreign === '',
    })),
    ...origins.flatMap(origin => [
      {
        name: `the origin ${origin}`,
        shot: { ...list, headers: { ...honest(target), origin } },
        refused: [403],
      },
      {
        name: `the origin ${origin} on a call that changes something`,
        shot: { ...create, headers: { ...honestJson(target), origin } },
        refused: [403],
      },
    ]),
    ...tokens.map(wrong => ({
      name: `a token of ${wrong.length} characters`,
      shot: { ...list, headers: { host, authorization: `Bearer ${wrong}` } },
      refused: [401, 429],
    })),
    ...schemes.map((authorization, at) => ({
      name: `the ${at + 1}. wrong way to show a token`,
      shot: { ...list, headers: { host, authorization } },
      refused: [401, 429],
    })),
    {
      name: 'a cookie that is the token',
      shot: { ...list, headers: { host, cookie: `dragoman-${port}=${token}` } },
      refused: [401, 429],
    },
    ...['', 'x', token, 'x'.repeat(43), target.cookie.replace(/^.*=/, '')].map(key => ({
      name: `the cookie of a browser with a key of ${key.length} characters`,
      shot: {
        ...list,
        headers: { host, cookie: target.cookie, origin: `http://${host}`, 'x-dragoman-key': key },
      },
      refused: [401, 429],
    })),
    ...['sec-websocket-protocol', 'x-key', 'authorization-key'].map(name => ({
      name: `the cookie of a browser, and something in ${name}`,
      shot: { ...list, headers: { host, cookie: target.cookie, [name]: `dragoman-key.${target.cookie}` } },
      refused: [401, 429],
    })),
    {
      name: 'an event stream with the cookie of a browser',
      shot: { ...list, headers: { host, cookie: target.cookie, accept: 'text/event-stream' } },
      refused: [401],
    },
    {
      name: 'another site according to the browser’s headers',
      shot: { ...create, headers: { ...honestJson(target), 'sec-fetch-site': 'cross-site' } },
      refused: [403],
    },
    ...['no', 'x'.repeat(43), ''].map(ticket => ({
      name: `the ticket "${ticket.slice(0, 10)}"`,
      shot: { method: 'GET', path: `/?ticket=${ticket}`, headers: { host } },
      refused: [401, 403, 429],
      plain: true,
    })),
    {
      name: 'a path that does not exist, without a token',
      shot: { method: 'GET', path: '/api/nothing', headers: { host } },
      refused: [401],
    },
    {
      name: 'a path that does not exist',
      shot: { method: 'GET', path: '/api/nothing', headers: honest(target) },
      refused: [404],
    },
    ...['/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/assets/../../token', '//evil.example/'].map(
      path => ({
        name: `the path ${path}`,
        shot: { method: 'GET', path, headers: honest(target) },
        refused: [400, 404],
      }),
    ),
    {
      name: 'headers of 100 kB',
      shot: { ...list, headers: { ...honest(target), 'x-long': 'x'.repeat(100_000) } },
      refused: [431, 0],
      plain: true,
    },
    {
      name: 'an address of 100 kB',
      shot: { ...list, path: `/api/sessions?query=${'x'.repeat(100_000)}`, headers: honest(target) },
      refused: [414, 431, 400, 0],
      plain: true,
    },
  ]
}
