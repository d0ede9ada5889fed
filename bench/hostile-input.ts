import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { startServer, type ServerProcess } from '../e2e/server-process.ts'
import { startFakeOpenAiChat } from '../src/testing/index.ts'
import type { Bench } from './harness/bench.ts'
import { milliseconds } from './harness/numbers.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'

const allowed = 100
const size = 1 << 20
const repeated = (text: string, length = size) => text.repeat(Math.ceil(length / text.length))

/** Pages and error pages that blocked the server, or could. */
const tags = ['<', '<a ', '<a href="', '<!--', '<script>', '</', '<li', '<b>', '<li>']
const pages = [...tags, '&', '&#9;', '\n', ' ', ' \n'].map(text => Buffer.from(repeated(text, 2 * size)))
const list = (length: number, make: (at: number) => string) =>
  Array.from({ length }, (_, at) => make(at)).join(',')
/** Bodies that are refused: long, deep, with too many keys or lists (14 MiB), or not JSON at all. */
const refused = [
  `{"title":"${'\\u0000'.repeat(size / 6)}"}`,
  '['.repeat(size),
  '{"a":'.repeat(size / 5),
  repeated('"'),
  `{${list(60_000, at => `"k${at}":1`)}}`,
  `[${list(190_000, at => `{"k${at}":1}`)}]`,
  `[${list(90_000, () => '{"1000":1}')}]`,
  `[${list(16_000, () => `[${'[],'.repeat(300)}[]]`)}]`,
]
/** Bodies at the bounds, which are parsed: most keys, most values, deepest, longest. */
const parsed = [
  list(9990, at => `{"k${at}":1}`),
  list(199, at => `{${list(50, key => `"k${at}_${key}":1`)}}`),
  list(9990, () => '{"1000":1}'),
  list(1900, () => `{${list(100, key => `"k${key}":1`)}}`),
  list(199_900, () => '1.5'),
  list(99_900, () => '{}'),
  list(3000, () => `${'['.repeat(60)}${']'.repeat(60)}`),
  `"${'x'.repeat(14 * size)}"`,
  `${' '.repeat(14 * size)}1`,
].map(values => `{"agent":"scripted","options":{"values":[${values}]}}`)
const bodies = [...refused, ...parsed].map(text => new TextEncoder().encode(text))
/** Old arrays that become sessions: most messages of three kinds, most parts, most calls, the longest message. */
const oneCall = { id: 'same', type: 'function', function: { name: 'a', arguments: '{}' } }
const calls = { role: 'assistant', tool_calls: Array.from({ length: 1000 }, () => oneCall) }
const results = Array.from({ length: 1000 }, () => ({ role: 'tool', tool_call_id: 'same', content: '1' }))
const arrays: readonly (readonly unknown[])[] = [
  Array.from({ length: 66_000 }, () => ({ role: 'user', content: 'x' })),
  Array.from({ length: 66_000 }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: 'x' })),
  Array.from({ length: 66_000 }, () => ({ role: 'system', content: 'x' })),
  Array.from({ length: 6 }, () => ({
    role: 'assistant',
    content: Array.from({ length: 10_000 }, () => ({ type: 'text', text: 'x' })),
  })),
  Array.from({ length: 15 }, () => [calls, ...results]).flat(),
  [{ role: 'user', content: 'x'.repeat(14 * size) }],
]
/** Lines of an agent, which makes them itself from a short script. */
const lines = ['<', '{"a":', '"\\u', '\u001B[1K', '[[', '-'].map(text => ({
  type: 'raw',
  text,
  times: Math.ceil(size / text.length),
}))
/** Lines that are JSON: one with a million small lists, one with many different keys. */
const crowded = [
  { type: 'raw', text: '{"type":"words","list":[', open: true },
  { type: 'raw', text: '[],', times: 1_000_000, open: true },
  { type: 'raw', text: '[]]}' },
]
const keys = [
  { type: 'raw', text: '{"type":"words","list":[', open: true },
  ...Array.from({ length: 50 }, (_, part) => ({
    type: 'raw',
    text: `${list(1000, at => `{"k${part}_${at}":1}`)},`,
    open: true,
  })),
  { type: 'raw', text: '{}]}' },
]
const script = [...lines, ...crowded, ...keys]

/** How long other requests wait while a client, a page or an agent sends input that is made to block the server. */
export const hostileInput: Bench = {
  name: 'hostile-input',
  what: 'the slowest answer of /livez while hostile pages, lines and bodies are handled',
  beside: `${allowed} ms`,
  how: 'A server in a separate process gets requests for `/livez` repeatedly: first while it is idle, then while a model fetches hostile pages of 2 MiB, an agent writes hostile lines and clients send hostile bodies. These include the worst bodies that are still allowed, and old arrays that become sessions. The slowest answer counts. On a busy machine, compare it with the answer of the idle server in the note.',
  seconds: 24,
  async run({ seconds }) {
    using folder = createScratchFolder()
    await using outside = await servePages()
    await using model = await startFakeOpenAiChat(({ body }) => nextFetch(body, outside.url))
    await using server = await startHere(folder.path, model.url)
    await slowest(server, 500)
    const idle = await slowest(server, (seconds * 1000) / 6)
    const stop = new AbortController()
    const load = handle(server, folder.path, stop.signal)
    const busy = await slowest(server, (seconds * 5000) / 6)
    stop.abort()
    const handled = await load
    return [
      {
        ours: `${milliseconds(busy)} (idle ${milliseconds(idle)})`,
        peer: milliseconds(allowed),
        ratio: busy / allowed,
        goal: { kind: 'at-most', ratio: 1 },
        note: `${(busy / idle).toFixed(1)} times an idle server; ${handled} hostile inputs`,
      },
    ]
  },
}

/** The fake model fetches one page after the other, and then says so. */
function nextFetch(body: Readonly<Record<string, unknown>>, url: string) {
  const messages = body['messages'] as readonly { readonly role: string }[]
  const done = messages.filter(({ role }) => role === 'tool').length
  if (done >= pages.length) return { pieces: ['I have read them all.'] }
  return { pieces: [{ call: `call-${done}`, name: 'fetch', input: { url: `${url}/${done}` } }] }
}

async function servePages() {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(pages[Number(request.url?.slice(1)) % pages.length])
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function startHere(folder: string, baseUrl: string): Promise<ServerProcess> {
  const [data, home] = [join(folder, 'data'), join(folder, 'home')]
  for (const each of [data, home]) mkdirSync(each)
  const fake = {
    kind: 'model',
    provider: 'openai-compatible',
    model: 'fake',
    baseUrl,
    allow: ['fetch'],
    fetchLocal: true,
  }
  writeFileSync(join(data, 'dragoman.json'), JSON.stringify({ agents: { fake } }))
  return await startServer({ data, home, pace: '0' })
}

/** The slowest answer of the server, asked again and again for some milliseconds; not from here, where the load is made. */
async function slowest({ url }: ServerProcess, length: number): Promise<number> {
  const workerData = { address: `${url}/livez`, length }
  const reader = new Worker(new URL('wire/slowest-answer-reader.ts', import.meta.url), { workerData })
  const [most] = (await once(reader, 'message')) as [number]
  return most
}

/** Sends hostile input until the signal; returns how much it sent. */
async function handle(server: ServerProcess, folder: string, signal: AbortSignal): Promise<number> {
  let count = 0
  const call = async (path: string, body: Uint8Array<ArrayBuffer> | string) => {
    const response = await fetch(`${server.url}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body,
    })
    return (await response.json()) as { readonly id?: string; readonly detail?: string }
  }
  const create = async (agent: string, more: object) => {
    const asked = JSON.stringify({ agent, cwd: join(folder, 'home'), ...more })
    const { id, detail } = await call('/sessions', asked)
    if (id === undefined) throw new Error(`No session: ${detail}`)
    return id
  }
  const start = async (agent: string, options: object) => {
    const id = await create(agent, { options })
    return async () => await call(`/sessions/${id}/prompts`, JSON.stringify({ text: 'go' }))
  }
  const speak = await start('scripted', { script })
  while (!signal.aborted) {
    const fetchPages = await start('fake', {})
    await fetchPages()
    await speak()
    for (const body of bodies) await call('/sessions', body)
    for (const messages of arrays) await create('scripted', { legacy: { format: 'openai-chat', messages } })
    count += pages.length + lines.length + 2 + bodies.length + arrays.length
  }
  return count
}
