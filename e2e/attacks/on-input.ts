import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from './attack.ts'
import { honest, honestJson, type Target } from './target.ts'

const large = 40 << 20

/** Tries folders without permission, invalid cursors, and endless bodies. */
export function attacksOnInput(target: Target): readonly Attack[] {
  const { session } = target
  const inSession = `/api/sessions/${session}`
  const get = (path: string) => ({ method: 'GET', path, headers: honest(target) })
  const post = (path: string, body: string, chunked = false) => ({
    method: 'POST',
    path,
    headers: honestJson(target),
    body,
    chunked,
  })
  const numbers = ['-1', '1e99', 'NaN', '0x10', '1.5', '9'.repeat(30), '%00', 'abc', '1;2', '']
  const counts = ['0', '-1', '1000000', 'all']
  return [
    ...numbers.flatMap(number => [
      {
        name: `entries after "${number}"`,
        shot: get(`${inSession}/entries?after=${number}`),
        refused: [400],
      },
      {
        name: `messages before "${number}"`,
        shot: get(`${inSession}/messages?before=${number}`),
        refused: [400],
      },
      {
        name: `the raw of entry "${number}"`,
        shot: get(`${inSession}/entries/${number}/raw`),
        refused: [400, 404],
      },
    ]),
    ...counts.flatMap(count =>
      ['entries', 'messages', 'snapshot'].map(what => ({
        name: `${what} with a limit of ${count}`,
        shot: get(`${inSession}/${what}?limit=${count}`),
        refused: [400],
      })),
    ),
    {
      name: 'the raw of a missing entry',
      shot: get(`${inSession}/entries/99999999/raw`),
      refused: [404],
    },
    { name: 'a forged cursor', shot: get('/api/sessions?cursor=1~%27%20or%201=1'), refused: [400] },
    { name: 'an unknown field in a query', shot: get('/api/sessions?admin=1'), refused: [400] },
    { name: 'an unknown dialect', shot: get(`${inSession}/entries?dialect=v99`), refused: [400] },
    {
      name: 'an unknown agent',
      shot: post('/api/sessions', '{"agent":"/bin/sh"}'),
      refused: [404, 400],
    },
    { name: 'a name with a flag', shot: post('/api/sessions', '{"agent":"--help"}'), refused: [404, 400] },
    {
      name: 'an unknown approval',
      shot: post(`${inSession}/approvals/forged`, '{"approved":true}'),
      refused: [404],
    },
    {
      name: 'a prompt with neither text nor parts',
      shot: post(`${inSession}/prompts`, '{}'),
      refused: [400],
    },
    {
      name: 'a branch at an unknown message',
      shot: post(`${inSession}/branches`, '{"messageId":"nobody"}'),
      refused: [404],
    },
    {
      name: 'a body of 40 MB',
      shot: post('/api/sessions', `{"title":"${'x'.repeat(large)}"}`),
      refused: [413, 0],
    },
    {
      name: 'a body of 40 MB in pieces',
      shot: post('/api/sessions', `{"title":"${'x'.repeat(large)}"}`, true),
      refused: [413, 0],
    },
    {
      name: 'a million keys',
      shot: post(
        '/api/sessions',
        `{${Array.from({ length: 1_000_000 }, (_, at) => `"k${at}":1`).join(',')}}`,
      ),
      refused: [400, 413],
    },
    {
      name: 'an invalid number',
      shot: post(`${inSession}/approvals/a`, '{"approved":1e400}'),
      refused: [400],
    },
    ...attacksOnSearch().map(([what, query]) => ({
      name: `a search with ${what}`,
      shot: get(`/api/search?${new URLSearchParams(query).toString()}`),
      refused: [400],
    })),
    ...['2026-02-31', '-1', '1e9', 'today', '999999999999999999'].map(from => ({
      name: `usage from "${from}"`,
      shot: get(`/api/usage?from=${from}`),
      refused: [400],
    })),
    ...['x', '../x', 'file:///etc/passwd', '/etc/\0passwd', ''].map(path => ({
      name: `an import of "${path}"`,
      shot: post('/api/imports', JSON.stringify({ path })),
      refused: [400],
    })),
    ...attacksByFolder(target).map(({ what, cwd }) => ({
      name: `the folder ${what}`,
      shot: post('/api/sessions', JSON.stringify({ agent: 'scripted', cwd })),
      refused: [400, 403],
    })),
  ]
}

const attacksOnSearch = (): readonly (readonly [what: string, query: Record<string, string>])[] => [
  ['a limit of 0', { q: 'x', limit: '0' }],
  ['a limit of a billion', { q: 'x', limit: '1000000000' }],
  ['a forged cursor', { q: 'x', cursor: '1.2; drop table part' }],
  ['a cursor below 0', { q: 'x', cursor: '-1.-2' }],
  ['1001 characters', { q: 'x'.repeat(1001) }],
  ['33 words', { q: 'x '.repeat(33) }],
  ['an endless pattern', { q: `/${'a'.repeat(400)}/` }],
  ['a pattern that is not valid', { q: '/(a/' }],
  ['a sticky pattern', { q: '/a/y' }],
  ['an accent only', { q: '\u0301' }],
  ['a NUL', { q: '\0' }],
  ['one quotation mark', { q: '"' }],
  ['a filter of a prototype', { q: 'constructor:x' }],
  ['a negative cost', { q: 'cost>-1' }],
  ['an infinite cost', { q: 'cost>1e999' }],
  ['a day that does not exist', { q: 'x', before: '2026-02-31' }],
  ['an unknown status', { q: 'x', status: 'any' }],
]

function attacksByFolder({ root }: Target): readonly { readonly what: string; readonly cwd: string }[] {
  const inside = join(root, 'inside')
  mkdirSync(inside, { recursive: true })
  const link = join(root, 'a-link-out')
  symlinkSync('/etc', link)
  writeFileSync(join(root, 'a-file'), '')
  return [
    { what: 'of the system', cwd: '/etc' },
    { what: 'above the root', cwd: join(root, '..') },
    { what: 'above the root, unresolved', cwd: `${root}/inside/../../..` },
    { what: 'behind a link', cwd: link },
    { what: 'with a NUL', cwd: `${root}\0/etc` },
    { what: 'of the process', cwd: '/proc/self/cwd/../../..' },
    { what: 'that is a file', cwd: join(root, 'a-file') },
    { what: 'that does not exist', cwd: join(root, 'nowhere') },
    { what: 'that is relative', cwd: '../..' },
    { what: 'of another system', cwd: String.raw`\\evil\share` },
    { what: 'beside the root with the same prefix', cwd: `${root}-other` },
    { what: 'that is empty', cwd: '' },
  ]
}
