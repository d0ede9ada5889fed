import type { Attack } from './attack.ts'
import { calls, honest, honestJson, isUnsafe, type Call, type Target } from './target.ts'

const shotOf = ({ method, path, body }: Call, headers: Readonly<Record<string, string>>) => ({
  method,
  path,
  headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
  ...(body !== undefined && { body: JSON.stringify(body) }),
})

/** What is tried on every call of the server, made from its table of paths. */
export function attacksOnEveryCall(target: Target): readonly Attack[] {
  const { port, token, session, cookie } = target
  const host = `127.0.0.1:${port}`
  const all = calls(session)
  const guarded = all.filter(({ name }) => name !== 'getLiveness')
  return [
    ...guarded.flatMap(call => [
      { name: `${call.name} without a token`, shot: shotOf(call, { host }), refused: [401] },
      {
        name: `${call.name} with a wrong token`,
        shot: shotOf(call, { host, authorization: `Bearer ${'x'.repeat(43)}` }),
        refused: [401, 429],
      },
      {
        name: `${call.name} with the token in the address`,
        shot: { ...shotOf(call, { host }), path: `${call.path}?token=${token}&ticket=${token}` },
        refused: [401],
      },
      {
        name: `${call.name} with the cookie of a browser, from its page as it claims`,
        shot: shotOf(call, { host, cookie, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }),
        refused: [401],
      },
      {
        name: `${call.name} with the cookie of a browser, and the cookie as the key`,
        shot: shotOf(call, {
          host,
          cookie,
          origin: `http://${host}`,
          'x-dragoman-key': cookie.replace(/^.*=/, ''),
        }),
        refused: [401, 429],
      },
    ]),
    ...all.flatMap(call => [
      {
        name: `${call.name} under a foreign host`,
        shot: shotOf(call, { ...honest(target), host: 'evil.example' }),
        refused: [403],
      },
      {
        name: `${call.name} from a foreign origin`,
        shot: shotOf(call, { ...honest(target), origin: 'http://evil.example' }),
        refused: [403],
      },
    ]),
    ...all.filter(isUnsafe).flatMap(call => attacksOnBody(target, call)),
    ...all.flatMap(call => attacksOnMethod(target, call)),
    ...all.filter(({ path }) => path.includes(session)).flatMap(call => attacksOnId(target, call)),
  ]
}

function attacksOnBody(target: Target, call: Call): readonly Attack[] {
  const { method, path, body } = call
  if (body === undefined) return []
  const post = (headers: Readonly<Record<string, string>>, text: string) => ({
    method,
    path,
    headers,
    body: text,
  })
  const text = JSON.stringify(body)
  const json = (sent: string) => post(honestJson(target), sent)
  const on = (what: string) => `${call.name} with ${what}`
  return [
    {
      name: on('a text body'),
      shot: post({ ...honest(target), 'content-type': 'text/plain' }, text),
      refused: [415],
    },
    {
      name: on('a form'),
      shot: post({ ...honest(target), 'content-type': 'application/x-www-form-urlencoded' }, 'approved=true'),
      refused: [415],
    },
    { name: on('no content type'), shot: post(honest(target), text), refused: [415] },
    { name: on('a body that is no JSON'), shot: json('{"a":'), refused: [400] },
    { name: on('a body that is no object'), shot: json('[1,2,3]'), refused: [400] },
    {
      name: on('an unknown or wrong field'),
      shot: json(JSON.stringify({ ...body, id: 7, approved: 'yes', title: {}, messageId: [], text: 1 })),
      // Calls that take an empty body have no field that could be wrong.
      refused: [400],
    },
    {
      name: on('a depth of 100,000'),
      shot: json(`{"options":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
      refused: [400],
    },
    {
      name: on('a prototype'),
      shot: json(`{"__proto__":{"isAdmin":true},${text.slice(1)}`.replace(',}', '}')),
      refused: [400],
    },
  ]
}

function attacksOnMethod(target: Target, { name, path }: Call): readonly Attack[] {
  return [
    {
      name: `${name} by TRACE`,
      shot: { method: 'TRACE', path, headers: honest(target) },
      refused: [405, 404],
    },
  ]
}

function attacksOnId(target: Target, { name, method, path, body }: Call): readonly Attack[] {
  const ids = [
    ['an unknown id', 'nobody', [404]],
    ['a prototype for an id', '__proto__', [404]],
    ['a line break in an id', 'a%0d%0aSet-Cookie:%20x', [400]],
    ['a NUL in an id', 'a%00b', [400]],
    ['a path for an id', '..%2f..%2fetc%2fpasswd', [400]],
    ['an endless id', 'x'.repeat(2000), [400]],
    ['a quote in an id', "a'%20or%201=1--", [400]],
  ] as const
  return ids.map(([what, id, refused]) => ({
    name: `${name} with ${what}`,
    shot: {
      method,
      path: path.replace(target.session, id),
      headers: body === undefined ? honest(target) : honestJson(target),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
    // Resuming an unknown chat gives no content.
    refused: name === 'resumeChat' && refused[0] === 404 ? [204] : refused,
    plain: name === 'resumeChat' && refused[0] === 404,
  }))
}
