import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { findInvalid, type Format } from '../../context/formats/index.ts'
import type { Json } from '../../protocol/json.ts'
import { openDragoman, type Opened } from '../dragoman.fixture.ts'

let server: Opened
beforeAll(async () => {
  server = await openDragoman()
})
afterAll(() => server[Symbol.asyncDispose]())

const formats = {
  anthropic: 'anthropic-messages',
  'openai-chat': 'openai-chat',
  'openai-responses': 'openai-responses',
  gemini: 'gemini',
  ui: 'ui-messages',
} as const satisfies Readonly<Record<string, Format>>

const old = [
  { role: 'user', content: 'What is in a.ts?' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: '/a.ts' } },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'export {}' }] },
  { role: 'assistant', content: [{ type: 'text', text: 'Nothing.' }] },
  { role: 'user', content: 'And b.ts?' },
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't2', name: 'Read', input: { file_path: '/b.ts' } }],
  },
]
const strange = [
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'nobody', content: 'orphan' }] },
  { role: 'critic', content: 'Hm.' },
  'words',
  null,
  ...old,
  ...old.slice(2, 3),
]

const rawsOf = async (session: string) => {
  const { json } = await server.call('listEntries', { params: { session }, query: { raw: '1' } })
  return json.entries.flatMap(({ event }) =>
    typeof event['raw'] === 'string' ? [JSON.parse(event['raw']) as Json] : [],
  )
}

describe('a flat array of an older program', () => {
  it('[X9] becomes a session: interactions, messages, work log, and the original JSON', async () => {
    const body = { id: 'old', legacy: { format: 'anthropic', messages: old }, options: { pace: 0 } } as const
    const { status, json } = await server.call('createSession', { body })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      agent: 'scripted',
      status: 'idle',
      interactions: 2,
      title: 'What is in a.ts?',
    })
    const params = { session: 'old' }
    const { interactions } = (await server.call('listInteractions', { params })).json
    expect(interactions.map(({ state, messages }) => [state, messages.map(({ role }) => role)])).toEqual([
      ['closed', ['user', 'assistant', 'assistant']],
      ['closed', ['user', 'assistant']],
    ])
    const { entries } = (await server.call('listWorkLog', { params })).json
    expect(entries.map(({ sentence, outcome }) => `${sentence} ${outcome}`)).toEqual([
      'Read /a.ts success',
      expect.stringContaining('/b.ts'),
    ])
    expect(await rawsOf('old')).toEqual(old)
    expect(await server.call('createSession', { body })).toMatchObject({ status: 409 })
    const again = await server.call('createSession', { body: { ...body, id: 'again' } })
    expect(again.status).toBe(201)
    await server.run('old', 'hello')
    const { messages } = (await server.call('listMessages', { params })).json
    expect(messages.at(-1)?.role).toBe('assistant')
    expect(messages).toHaveLength(7)
  })

  it('[X9] keeps unknown content', async () => {
    const body = { id: 'strange', legacy: { format: 'anthropic', messages: strange } } as const
    expect((await server.call('createSession', { body })).status).toBe(201)
    expect(await rawsOf('strange')).toEqual(strange)
    for (const legacy of [
      { format: 'latin', messages: [] },
      { format: 'ui' },
      { format: 'ui', messages: {} },
    ])
      expect((await server.call('createSession', { body: { legacy: legacy as never } })).status).toBe(400)
    const empty = await server.call('createSession', { body: { legacy: { format: 'ui', messages: [] } } })
    expect(empty.json).toMatchObject({ interactions: 0, agent: 'scripted' })
  })
})

const chatCall = (id: string, path: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: `{"path":"${path}"}` } }],
})
const chatResult = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content })
const counting = [
  { role: 'system', content: 'ALWAYS ANSWER IN FRENCH' },
  { role: 'user', content: 'hi' },
  chatCall('call_0', 'x'),
  chatResult('call_0', 'RESULT-ONE'),
  { role: 'assistant', content: 'done' },
  { role: 'system', content: 'BUT SHORTLY' },
  { role: 'user', content: 'again' },
  chatCall('call_0', 'y'),
  chatResult('call_0', 'RESULT-TWO'),
  { role: 'assistant', content: 'done again' },
]
const signed = [
  { role: 'user', content: [{ type: 'text', text: 'what' }] },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'T', signature: 'SIG' },
      { type: 'text', text: 'a picture' },
    ],
  },
  { role: 'critic', content: 'Hm.' },
]
const shown = [
  { id: '1', role: 'system', parts: [{ type: 'text', text: 'SYSUI' }] },
  { id: '2', role: 'user', parts: [{ type: 'text', text: 'q' }] },
  {
    id: '3',
    role: 'assistant',
    parts: [
      { type: 'tool-read', toolCallId: 'c', state: 'output-available', input: { path: 'x' }, output: 'OUT' },
      { type: 'tea', leaves: 3 },
      { type: 'text', text: 'done' },
    ],
  },
]

const flat = async (
  session: string,
  as: keyof typeof formats,
  query: { before?: string; limit?: string } = {},
) => {
  const { json } = await server.call('listMessages', { params: { session }, query: { as, ...query } })
  const document = json.document as Json[] | { messages: Json[] }
  return { ...json, list: 'messages' in document ? document.messages : document }
}

describe('the export of a flat array', () => {
  const arrays = { 'openai-chat': counting, anthropic: signed, ui: shown } as const
  for (const [as, messages] of Object.entries(arrays) as [keyof typeof arrays, never[]][])
    it(`[X9] ${as}: gives the original, page by page, followed by newer messages`, async () => {
      const id = `back-${as}`
      const body = { id, legacy: { format: as, messages }, options: { pace: 0 } } as const
      expect((await server.call('createSession', { body })).status).toBe(201)
      expect(await flat(id, as)).toMatchObject({ list: messages, losses: [] })
      const pages: Json[] = []
      for (let before: number | null | undefined; before !== null;) {
        const { list, next } = await flat(id, as, {
          limit: '1',
          ...(before !== undefined && { before: String(before) }),
        })
        pages.unshift(...list)
        before = next
      }
      expect(pages).toEqual(messages)
      await server.run(id, 'hello')
      const { list } = await flat(id, as)
      expect(list.slice(0, messages.length)).toEqual(messages)
      expect(JSON.stringify(list[messages.length])).toContain('hello')
    })

  it('[X9] separates calls with the same id, keeps instructions as messages, and reports what other formats cannot hold', async () => {
    const params = { session: 'back-openai-chat' }
    const all = (await server.call('listMessages', { params })).json.messages
    expect(all.slice(0, 3).map(({ role }) => role)).toEqual(['system', 'user', 'assistant'])
    const calls = all.flatMap(({ parts }) => parts).filter(({ type }) => type === 'dynamic-tool')
    expect(calls.slice(0, 2)).toMatchObject([
      { toolCallId: 'call_0', output: 'RESULT-ONE' },
      { toolCallId: 'call_0_2', output: 'RESULT-TWO' },
    ])
    expect((await server.call('getSession', { params })).json.title).toBe('hi')
    for (const [as, format] of Object.entries(formats) as [keyof typeof formats, Format][]) {
      const { document } = await flat('back-openai-chat', as)
      for (const word of ['FRENCH', 'SHORTLY', 'RESULT-ONE', 'RESULT-TWO'])
        expect(JSON.stringify(document), as).toContain(word)
      if (as !== 'openai-chat') expect([as, findInvalid(format, document as Json)]).toEqual([as, []])
    }
    const messages = (await server.call('listMessages', { params: { session: 'back-anthropic' } })).json
      .messages
    expect(messages[1]?.parts).toContainEqual(
      expect.objectContaining({ type: 'reasoning', providerMetadata: { anthropic: { signature: 'SIG' } } }),
    )
    const { losses } = await flat('back-anthropic', 'openai-chat')
    expect(losses?.map(({ path }) => path)).toContain('/signature')
  })
})

describe('messages in the format of a provider', () => {
  it('[X9] are one valid document, with a list of what does not fit', async () => {
    const session = await server.session()
    await server.run(session, 'use tools')
    for (const [as, format] of Object.entries(formats)) {
      const { json } = await server.call('listMessages', {
        params: { session },
        query: { as: as as keyof typeof formats },
      })
      expect(json.messages).toEqual([])
      expect(JSON.stringify(json.document)).toContain('README.md')
      expect([as, findInvalid(format, json.document as Json)]).toEqual([as, []])
      if (as === 'ui') expect(json.losses).toEqual([])
    }
    expect((await server.send(`/api/sessions/${session}/messages?as=latin`)).status).toBe(400)
  })
})

describe('a large array', () => {
  const create = async (messages: Json[]) =>
    await server.call('createSession', { body: { legacy: { format: 'openai-chat', messages } } })

  it('[S12] lets other work run at least every eight steps while it becomes a session', async () => {
    let [time, turnAt, longest, isCreating] = [0, 0, 0, true]
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 1))
    onTestFinished(() => clock.mockRestore())
    const takeTurn = () => {
      longest = Math.max(longest, time - turnAt)
      turnAt = time
      if (isCreating) setImmediate(takeTurn)
    }
    setImmediate(takeTurn)
    const messages = Array.from({ length: 3000 }, () => ({ role: 'user', content: 'x' }))
    const { status, json } = await create(messages)
    isCreating = false
    expect(status).toBe(201)
    expect(json).toMatchObject({ interactions: 3000 })
    // Each message is read, paired, named and turned into events, and the clock is read after each of these steps.
    expect(time).toBeGreaterThan(3000 * 4)
    expect(longest).toBeLessThan(20)
  })

  it('[S12] is refused if a message has too many parts, or too many calls without results', async () => {
    const content = Array.from({ length: 10_001 }, () => 'x')
    expect(await create([{ role: 'user', content }])).toMatchObject({
      status: 400,
      json: { detail: expect.stringContaining('more than 10000 parts') as string },
    })
    const call = { id: 'a', type: 'function', function: { name: 'a', arguments: '{}' } }
    const calls = (length: number) => [{ role: 'assistant', tool_calls: Array.from({ length }, () => call) }]
    expect(await create(calls(1001))).toMatchObject({
      status: 400,
      json: { detail: expect.stringContaining('more than 1000 tool calls without results') as string },
    })
    expect(await create([...calls(1000), ...calls(1000)])).toMatchObject({ status: 201 })
  })
})
