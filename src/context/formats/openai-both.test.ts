import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { findInvalid, formats, read, toModelMessages, write } from './index.ts'

const look = 'https://x.example/a.png'
const chat: Json = {
  messages: [
    { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: look, detail: 'low' } }] },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'patch', input: '{"not": "arguments"}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'done' },
  ],
}
const responses: Json = {
  input: [
    { role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] },
    { role: 'user', content: [{ type: 'input_image', image_url: look, detail: 'low' }] },
    { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: '{"not": "arguments"}' },
    { type: 'custom_tool_call_output', call_id: 'c', output: 'done' },
  ],
}

describe('features of both formats of OpenAI', () => {
  it('[X6] are converted: developer messages, details of pictures, custom tools', () => {
    expect(write(read('openai-chat', chat), 'openai-responses')).toEqual({ json: responses, losses: [] })
    const back = write(read('openai-responses', responses), 'openai-chat')
    expect(back.losses).toEqual([])
    expect(back.json).toEqual({
      messages: [
        { role: 'developer', content: 'Be brief.' },
        ...(chat as { messages: readonly Json[] }).messages.slice(1),
      ],
    })
  })

  it('[X6] a detail that only the responses format has is reported as lost in chat', () => {
    const image = { type: 'input_image', image_url: look, detail: 'original' }
    const { json, losses } = write(
      read('openai-responses', [{ role: 'user', content: [image] }]),
      'openai-chat',
    )
    expect(JSON.stringify(json)).not.toContain('original')
    expect(losses.map(({ path, why }) => `${path} ${why}`)).toEqual(['/detail unsupported'])
  })

  it('[X6] the text input of a custom tool becomes an object with one field in other formats, and is reported', () => {
    for (const [from, document] of [
      ['openai-chat', chat],
      ['openai-responses', responses],
    ] as const)
      for (const to of formats.filter(format => !format.startsWith('openai'))) {
        const { json, losses } = write(read(from, document), to)
        expect(findInvalid(to, json)).toEqual([])
        if (to !== 'ui-messages')
          expect(JSON.stringify(json)).toContain(JSON.stringify({ input: '{"not": "arguments"}' }))
        expect(losses.filter(({ path }) => path.endsWith('/input')).map(({ why }) => why)).toEqual([
          'reshaped',
        ])
      }
  })

  it('[X6] a text input becomes an object for models that take only objects', () => {
    const conversation = read('openai-responses', responses)
    const asked = JSON.stringify({ input: '{"not": "arguments"}' })
    expect(JSON.stringify(toModelMessages(conversation, 'anthropic'))).toContain(`"input":${asked}`)
    expect(JSON.stringify(toModelMessages(conversation, 'openai'))).not.toContain(asked)
  })
})
