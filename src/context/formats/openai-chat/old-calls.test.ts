import { describe, expect, it } from 'vitest'
import { isObject, type Json } from '../../../protocol/json.ts'
import { conversationOf, flatten, migrate } from '../../legacy/index.ts'
import { findInvalid, formats, read, receive, send, toModelMessages, write } from '../index.ts'
import { listAt } from '../look.ts'

const ask: Json = { role: 'user', content: 'go' }
const asks = (name: string, given = '{"a": 1}'): Json => ({
  role: 'assistant',
  content: null,
  function_call: { name, arguments: given },
})
const gives = (name: string, content: Json): Json => ({ role: 'function', name, content })
const chat = (...messages: readonly Json[]) => read('openai-chat', { messages })
const others = formats.filter(format => format !== 'openai-chat')

describe('OpenAI’s first function calls', () => {
  const messages = [ask, asks('f'), gives('f', 'OUT'), { role: 'assistant', content: 'done' }]

  it('[X6] become calls and results that are valid in every format, and come back byte for byte', () => {
    const conversation = chat(...messages)
    expect(conversation.messages.map(({ role, parts }) => [role, parts.map(({ kind }) => kind)])).toEqual([
      ['user', ['text']],
      ['assistant', ['call']],
      ['tool', ['result']],
      ['assistant', ['text']],
    ])
    expect(write(conversation, 'openai-chat')).toEqual({ json: { messages }, losses: [] })
    for (const format of others) {
      const sent = send(conversation, format)
      expect([format, findInvalid(format, sent.json)]).toEqual([format, []])
      expect(JSON.stringify(sent.json)).not.toContain('No result')
      expect(JSON.stringify(sent.json)).toContain('OUT')
      expect(sent.losses.filter(({ path }) => path !== '/function_call/arguments')).toEqual([])
      expect(JSON.stringify(write(receive(sent.json, sent), 'openai-chat').json)).toBe(
        JSON.stringify({ messages }),
      )
    }
    const [, call, result] = listAt(write(conversation, 'anthropic-messages').json, 'messages')
    expect(listAt(call, 'content')).toEqual([
      { type: 'tool_use', id: 'call_m1_0', name: 'f', input: { a: 1 } },
    ])
    expect(listAt(result, 'content')).toEqual([
      { type: 'tool_result', tool_use_id: 'call_m1_0', content: [{ type: 'text', text: 'OUT' }] },
    ])
    expect(JSON.stringify(toModelMessages(conversation))).toContain('"tool-result"')
  })

  it('[X6] a result answers the call of its name directly before it, or else the oldest', () => {
    const conversation = chat(ask, asks('f'), asks('g'), asks('f'), gives('f', 'three'), gives('f', 'one'))
    const { json } = write(conversation, 'openai-responses')
    expect(findInvalid('openai-responses', json)).toEqual([])
    const outputs = listAt(json, 'input').filter(
      item => isObject(item) && item['type'] === 'function_call_output',
    )
    expect(outputs.map(item => isObject(item) && [item['call_id'], item['output']])).toEqual(
      expect.arrayContaining([
        ['call_m3_0', 'three'],
        ['call_m1_0', 'one'],
        ['call_m2_0', 'No result: the call was not finished.'],
      ]),
    )
  })

  it('[X6] an orphaned result is dropped for other providers and reported; its own provider keeps it', () => {
    for (const orphan of [gives('g', 'OBEY'), gives('f', 'OBEY')]) {
      const conversation = chat(ask, orphan)
      expect(write(conversation, 'openai-chat')).toEqual({ json: { messages: [ask, orphan] }, losses: [] })
      for (const format of others) {
        const { json, losses } = write(conversation, format)
        expect([format, JSON.stringify(json).includes('OBEY')]).toEqual([format, false])
        expect(losses.filter(({ path }) => path === '/content').map(({ why }) => why)).toEqual(['orphan'])
      }
    }
  })

  it('[X6] calls that the endpoint would refuse are found, and written as tool calls of today', () => {
    for (const [call, result] of [
      [asks('f'), { role: 'function', content: 'OUT' }],
      [asks('not a name'), gives('not a name', 'OUT')],
      [{ role: 'assistant', content: null, function_call: { name: 'f', arguments: {} } }, gives('f', 'OUT')],
    ] as const) {
      expect(findInvalid('openai-chat', [ask, call, result])).not.toEqual([])
      const { json } = write(read('openai-chat', [ask, call, result]), 'openai-chat')
      expect(findInvalid('openai-chat', json)).toEqual([])
      expect(JSON.stringify(json)).toMatch(/tool_calls.*"role":"tool".*OUT/)
    }
    const broken = { role: 'assistant', content: 'x', function_call: 5 }
    expect(findInvalid('openai-chat', [ask, broken])).toEqual([
      'The function call of message 1 is not a function with a name and a string as arguments.',
    ])
    const { json, losses } = write(read('openai-chat', [ask, broken]), 'openai-chat')
    expect(json).toEqual([ask, { role: 'assistant', content: 'x' }])
    expect(losses.map(({ path, why }) => `${path} ${why}`)).toEqual(['/function_call unsupported'])
  })

  it('[X6] fields that only a repaired pair had are reported', () => {
    const call = {
      role: 'assistant',
      content: null,
      function_call: { name: 'f', arguments: '{}', own: 'WORD' },
    }
    const { json, losses } = write(
      read('openai-chat', [ask, call, { role: 'function', content: 'OUT' }]),
      'openai-chat',
    )
    expect(JSON.stringify(json)).not.toContain('WORD')
    expect(losses.map(({ part, path }) => `${part} ${path}`)).toContain('m1.0 /function_call/own')
  })

  it('[X6] a changed call and a changed result keep their old shape for their own provider', () => {
    const { system, messages: heard } = chat(...messages)
    const changed = heard.map(message => ({
      ...message,
      parts: message.parts.map(part =>
        part.kind === 'result'
          ? { ...part, content: [{ id: 'p', kind: 'text' as const, text: '[cleared]' }] }
          : part,
      ),
    }))
    expect(write({ system, messages: changed }, 'openai-chat').json).toEqual({
      messages: [ask, asks('f'), gives('f', '[cleared]'), { role: 'assistant', content: 'done' }],
    })
  })

  it('[X9] reach the model after an import, and an orphaned result does not', () => {
    const old = [...messages, gives('f', 'OBEY')]
    const migrated = migrate('s', 'openai-chat', old)
    const { json } = write(conversationOf(migrated), 'anthropic-messages')
    expect(findInvalid('anthropic-messages', json)).toEqual([])
    expect(JSON.stringify(json)).toMatch(/tool_use.*tool_result.*OUT/)
    expect(JSON.stringify(json)).not.toContain('OBEY')
    const outside = migrated.interactions.flatMap(each => each.messages.flatMap(message => message.outside))
    expect(outside.map(({ why }) => why)).toEqual(['legacy-orphan'])
    expect(flatten(migrated)).toEqual(old)
  })
})
