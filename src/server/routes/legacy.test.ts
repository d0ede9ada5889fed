import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findInvalid, type Format } from '../../context/formats/index.ts'
import type { Json } from '../../protocol/json.ts'
import { openDragoman, type Opened } from '../dragoman.fixture.ts'

let house: Opened
beforeAll(async () => {
  house = await openDragoman()
})
afterAll(() => house[Symbol.asyncDispose]())

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
  const { json } = await house.call('listEntries', { params: { session }, query: { raw: '1' } })
  return json.entries.flatMap(({ event }) =>
    typeof event['raw'] === 'string' ? [JSON.parse(event['raw']) as Json] : [],
  )
}

describe('a flat array of an older program', () => {
  it('[X9] begins a session: interactions, messages, work, and every word as it was', async () => {
    const body = { id: 'old', legacy: { format: 'anthropic', messages: old }, options: { pace: 0 } } as const
    const { status, json } = await house.call('createSession', { body })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      agent: 'scripted',
      status: 'idle',
      interactions: 2,
      title: 'What is in a.ts?',
    })
    const params = { session: 'old' }
    const { interactions } = (await house.call('listInteractions', { params })).json
    expect(interactions.map(({ state, messages }) => [state, messages.map(({ role }) => role)])).toEqual([
      ['closed', ['user', 'assistant', 'assistant']],
      ['closed', ['user', 'assistant']],
    ])
    const { entries } = (await house.call('listWorkLog', { params })).json
    expect(entries.map(({ sentence, outcome }) => `${sentence} ${outcome}`)).toEqual([
      'Read /a.ts success',
      expect.stringContaining('/b.ts'),
    ])
    expect(await rawsOf('old')).toEqual(old)
    expect(await house.call('createSession', { body })).toMatchObject({ status: 409 })
    const again = await house.call('createSession', { body: { ...body, id: 'again' } })
    expect(again.status).toBe(201)
    await house.run('old', 'hello')
    const { messages } = (await house.call('listMessages', { params })).json
    expect(messages.at(-1)?.role).toBe('assistant')
    expect(messages).toHaveLength(7)
  })

  it('[X9] loses nothing of what nobody understands', async () => {
    const body = { id: 'strange', legacy: { format: 'anthropic', messages: strange } } as const
    expect((await house.call('createSession', { body })).status).toBe(201)
    expect(await rawsOf('strange')).toEqual(strange)
    for (const legacy of [
      { format: 'latin', messages: [] },
      { format: 'ui' },
      { format: 'ui', messages: {} },
    ])
      expect((await house.call('createSession', { body: { legacy: legacy as never } })).status).toBe(400)
    const empty = await house.call('createSession', { body: { legacy: { format: 'ui', messages: [] } } })
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
  const { json } = await house.call('listMessages', { params: { session }, query: { as, ...query } })
  const document = json.document as Json[] | { messages: Json[] }
  return { ...json, list: 'messages' in document ? document.messages : document }
}

describe('an old array comes back', () => {
  const arrays = { 'openai-chat': counting, anthropic: signed, ui: shown } as const
  for (const [as, messages] of Object.entries(arrays) as [keyof typeof arrays, never[]][])
    it(`[X9] ${as}: as it was, page by page, and with what was said since after it`, async () => {
      const id = `back-${as}`
      const body = { id, legacy: { format: as, messages }, options: { pace: 0 } } as const
      expect((await house.call('createSession', { body })).status).toBe(201)
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
      await house.run(id, 'hello')
      const { list } = await flat(id, as)
      expect(list.slice(0, messages.length)).toEqual(messages)
      expect(JSON.stringify(list[messages.length])).toContain('hello')
    })

  it('[X9] calls of one id are several, instructions are messages, and other formats say or miss each word', async () => {
    const params = { session: 'back-openai-chat' }
    const all = (await house.call('listMessages', { params })).json.messages
    expect(all.slice(0, 3).map(({ role }) => role)).toEqual(['system', 'user', 'assistant'])
    const calls = all.flatMap(({ parts }) => parts).filter(({ type }) => type === 'dynamic-tool')
    expect(calls.slice(0, 2)).toMatchObject([
      { toolCallId: 'call_0', output: 'RESULT-ONE' },
      { toolCallId: 'call_0_2', output: 'RESULT-TWO' },
    ])
    expect((await house.call('getSession', { params })).json.title).toBe('hi')
    for (const [as, format] of Object.entries(formats) as [keyof typeof formats, Format][]) {
      const { document } = await flat('back-openai-chat', as)
      for (const word of ['FRENCH', 'SHORTLY', 'RESULT-ONE', 'RESULT-TWO'])
        expect(JSON.stringify(document), as).toContain(word)
      if (as !== 'openai-chat') expect([as, findInvalid(format, document as Json)]).toEqual([as, []])
    }
    const told = (await house.call('listMessages', { params: { session: 'back-anthropic' } })).json.messages
    expect(told[1]?.parts).toContainEqual(
      expect.objectContaining({ type: 'reasoning', providerMetadata: { anthropic: { signature: 'SIG' } } }),
    )
    const { losses } = await flat('back-anthropic', 'openai-chat')
    expect(losses?.map(({ path }) => path)).toContain('/signature')
  })
})

describe('the messages in the words of a provider', () => {
  it('[X9] are one document that it would take, with what it has no place for', async () => {
    const session = await house.session()
    await house.run(session, 'use tools')
    for (const [as, format] of Object.entries(formats)) {
      const { json } = await house.call('listMessages', {
        params: { session },
        query: { as: as as keyof typeof formats },
      })
      expect(json.messages).toEqual([])
      expect(JSON.stringify(json.document)).toContain('README.md')
      expect([as, findInvalid(format, json.document as Json)]).toEqual([as, []])
      if (as === 'ui') expect(json.losses).toEqual([])
    }
    expect((await house.send(`/api/sessions/${session}/messages?as=latin`)).status).toBe(400)
  })
})
