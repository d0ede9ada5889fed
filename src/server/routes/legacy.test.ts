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
