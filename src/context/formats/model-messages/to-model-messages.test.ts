import { describe, expect, it } from 'vitest'
import type { Json } from '../../../protocol/json.ts'
import { read, toModelMessages, write } from '../index.ts'

const said = (...texts: readonly string[]): Json => ({
  role: 'assistant',
  content: texts.map(text => ({ type: 'text', text })),
})
const ask: Json = { role: 'user', content: 'go' }

describe('texts of two messages that were joined', () => {
  const conversation = read('anthropic-messages', [
    ask,
    said('You said "first"'),
    // Nothing of this goes elsewhere.
    { role: 'user', content: [{ type: 'new_block' }] },
    said('plain ', 'answer'),
  ])

  it('[X6] are separated for models whose interface joins texts', () => {
    const texts = ['You said "first"', '\n\nplain ', 'answer'].map(text => ({ type: 'text', text }))
    for (const provider of [null, 'openai'] as const)
      expect(toModelMessages(conversation, provider)[1]).toEqual({ role: 'assistant', content: texts })
    for (const provider of ['anthropic', 'google'] as const)
      expect(JSON.stringify(toModelMessages(conversation, provider))).not.toContain(String.raw`\n\n`)
  })

  it('[X6] are separate parts in OpenAI chat, and the same in every request', () => {
    expect(write(conversation, 'openai-chat').json).toEqual({
      messages: [ask, said('You said "first"', 'plain ', 'answer')],
    })
    expect(toModelMessages(conversation)).toEqual(toModelMessages(conversation))
  })

  it('[X6] OpenAI chat: the reasoning and the refusals of both are kept', () => {
    const calls = (id: string) => [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }]
    const speaks = (at: string): Json => ({
      role: 'assistant',
      content: null,
      reasoning_content: `hm ${at}`,
      refusal: `no ${at}`,
      tool_calls: calls(at),
    })
    const { json } = write(
      read('openai-chat', [
        ask,
        speaks('a'),
        speaks('b'),
        { role: 'tool', tool_call_id: 'a', content: 'x' },
        { role: 'tool', tool_call_id: 'b', content: 'y' },
      ]),
      'openai-chat',
    )
    expect(JSON.stringify(json)).toContain(String.raw`"reasoning_content":"hm a\n\nhm b"`)
    expect(JSON.stringify(json)).toContain(String.raw`"refusal":"no a\n\nno b"`)
  })
})
