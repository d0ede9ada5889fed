import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { formats } from './codecs.ts'
import { findInvalid, read } from './read.ts'
import { write } from './write.ts'

const chatCall: Json = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_0', type: 'function', function: { name: 'f', arguments: '{}' } }],
}
const chatResult: Json = { role: 'tool', tool_call_id: 'call_0', content: 'x' }
const output: Json = { type: 'function_call_output', call_id: 'c', output: 'x' }
const uiCall: Json = { type: 'tool-f', toolCallId: 'c', state: 'output-available', input: {}, output: 1 }

describe('the same format', () => {
  it('[X8] calls that count anew with each step keep their names in OpenAI chat and UI messages', () => {
    const chat: Json = [{ role: 'user', content: 'go' }, chatCall, chatResult, chatCall, chatResult]
    expect(findInvalid('openai-chat', chat)).toEqual([])
    expect(write(read('openai-chat', chat), 'openai-chat')).toEqual({ json: chat, losses: [] })
    const ui: Json = [
      { id: '1', role: 'assistant', parts: [uiCall] },
      { id: '2', role: 'assistant', parts: [uiCall] },
    ]
    expect(write(read('ui-messages', ui), 'ui-messages')).toEqual({ json: ui, losses: [] })
    for (const to of formats)
      expect([to, findInvalid(to, write(read('openai-chat', chat), to).json)]).toEqual([to, []])
  })

  it('[X8] OpenAI responses: an output may answer a call in what OpenAI keeps', () => {
    for (const json of [
      { previous_response_id: 'resp_1', input: [output] },
      { conversation: 'conv_1', input: [output, { role: 'user', content: 'and?' }] },
      { input: [{ type: 'item_reference', id: 'fc_1' }, output] },
      [{ type: 'item_reference', id: 'fc_1' }, output],
    ]) {
      expect(findInvalid('openai-responses', json)).toEqual([])
      expect(write(read('openai-responses', json), 'openai-responses')).toEqual({ json, losses: [] })
      const { losses } = write(read('openai-responses', json), 'anthropic-messages')
      expect(losses.map(({ why }) => why)).toContain('orphan')
    }
    expect(findInvalid('openai-responses', { previous_response_id: null, input: [output] })).not.toEqual([])
  })
})

describe('what a provider refuses is written otherwise, and reported', () => {
  it('[X6] names of tools, white space at the end, no messages, files of one machine', () => {
    const names = ['ns.tool:do-it', 'ns_tool_do-it', 'x'.repeat(100)]
    const ui: Json = [
      { id: '1', role: 'user', parts: [{ type: 'file', mediaType: 'image/png', url: 'file:///a.png' }] },
      {
        id: '2',
        role: 'assistant',
        parts: [
          ...names.map((name, at) => ({ ...(uiCall as object), type: `tool-${name}`, toolCallId: `c${at}` })),
          { type: 'text', text: 'I think that \n' },
        ],
      },
    ]
    for (const to of formats) {
      const { json, losses } = write(read('ui-messages', ui), to)
      expect([to, findInvalid(to, json)]).toEqual([to, []])
      expect(findInvalid(to, write(read('ui-messages', []), to).json)).toEqual([])
      if (to === 'anthropic-messages') {
        expect(JSON.stringify(json)).toContain('"ns_tool_do-it_2"')
        expect(losses).toContainEqual(expect.objectContaining({ path: '/text', why: 'reshaped' }))
        expect(losses).toContainEqual(expect.objectContaining({ path: '/type', part: '2.0' }))
      }
    }
  })
})
