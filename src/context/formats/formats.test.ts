import { describe, expect, it } from 'vitest'
import { isObject, type Json } from '../../protocol/json.ts'
import { refused } from './arbitrary/refused.fixture.ts'
import type { Conversation, Format, Part } from './conversation.ts'
import { findInvalid, formats, read, receive, send, type Sent, write } from './index.ts'
import { listAt } from './look.ts'

const call = (id: string, input: Json = {}) => ({ type: 'tool_use', id, name: 'Read', input })
const result = (id: string, content: Json = 'x') => ({ type: 'tool_result', tool_use_id: id, content })
const user = (content: Json): Json => ({ role: 'user', content })
const assistant = (...content: readonly Json[]): Json => ({ role: 'assistant', content })
const anthropic = (...messages: readonly Json[]) => read('anthropic-messages', { messages })
const reasons = (conversation: Conversation, format: Format) =>
  write(conversation, format).losses.map(({ part, path, why }) => `${part} ${path} ${why}`)

/** The same without native JSON, as from another provider. */
const foreign = (json: Json): Conversation => {
  const { messages, system } = read('anthropic-messages', json)
  const bare = ({ native: _native, ...part }: Part): Part => part
  return { system, messages: messages.map(({ id, role, parts }) => ({ id, role, parts: parts.map(bare) })) }
}

describe('requirements of a provider', () => {
  it('[X6] a missing result becomes a synthetic one with a stable id, in every format that needs one', () => {
    const conversation = anthropic(
      user('go'),
      assistant(call('t1'), call('t2')),
      user([result('t2')]),
      user('well?'),
    )
    for (const format of formats) {
      const { json } = write(conversation, format)
      expect(findInvalid(format, json)).toEqual([])
      expect(write(conversation, format).json).toEqual(json)
      if (format !== 'ui-messages')
        expect(JSON.stringify(json)).toContain('No result: the call was not finished.')
    }
  })

  it('[X6] Anthropic: results come first, in the message after their calls, wherever they were', () => {
    const conversation = anthropic(
      user('go'),
      assistant(call('t1'), call('t2')),
      user([{ type: 'text', text: 'wait' }, result('t2')]),
      assistant({ type: 'text', text: 'hm' }),
      user([result('t1')]),
    )
    const { json } = write(conversation, 'anthropic-messages')
    expect(findInvalid('anthropic-messages', json)).toEqual([])
    const [, , answers] = listAt(json, 'messages')
    expect(listAt(answers, 'content').map(block => isObject(block) && block['tool_use_id'])).toEqual([
      't1',
      't2',
      undefined,
    ])
  })

  it('[X6] Anthropic: thinking that leads to nothing is left out and reported', () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 's' }
    const conversation = anthropic(user('go'), assistant({ type: 'text', text: 'so' }, thinking))
    const { json, losses } = write(conversation, 'anthropic-messages')
    expect(findInvalid('anthropic-messages', json)).toEqual([])
    expect(losses.map(({ why }) => why)).toContain('orphan')
  })

  it('[X6] Anthropic: a text of nothing but space is refused, and left out and reported', () => {
    const blank = assistant({ type: 'text', text: '\n\n' }, call('t1'))
    const document: Json = { messages: [user('go'), blank, user([result('t1')])] }
    expect(findInvalid('anthropic-messages', document)).toEqual(['Block 0 of message 1 is an empty text.'])
    expect(findInvalid('anthropic-messages', [user(' ')])).toEqual(['Message 0 is empty.'])
    for (const from of [read('anthropic-messages', document), foreign(document)]) {
      const { json, losses } = write(from, 'anthropic-messages')
      expect(listAt(listAt(json, 'messages')[1], 'content')).toEqual([call('t1')])
      expect(losses.map(({ why }) => why)).toContain('empty')
    }
    // Elsewhere it is a text like any other.
    expect(JSON.stringify(write(read('anthropic-messages', document), 'openai-chat').json)).toContain(
      String.raw`"\n\n"`,
    )
  })

  it('[P8] a picture in an address with parameters, or percent signs, is a picture everywhere', () => {
    for (const url of [
      'data:image/png;name=a.png;base64,QUJD',
      'DATA:image/png;base64,QUJ%44',
      'data:image/png,ABC',
    ]) {
      const message = { id: 'm', role: 'user', parts: [{ type: 'file', mediaType: 'image/png', url }] }
      const conversation = read('ui-messages', [message])
      expect(write(conversation, 'ui-messages').json).toEqual([message])
      for (const format of ['anthropic-messages', 'gemini'] as const)
        expect(JSON.stringify(write(conversation, format).json)).toContain('"data":"QUJD"')
    }
    const broken = { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,?' }
    const unread = read('ui-messages', [
      { id: 'm', role: 'user', parts: [broken, { type: 'text', text: 'x' }] },
    ])
    expect(JSON.stringify(write(unread, 'gemini').json)).not.toContain('fileUri')
  })

  it('[X6] OpenAI chat: separate calls become one message, directly followed by its tool messages', () => {
    const conversation = read('openai-responses', [
      { role: 'user', content: 'go' },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
      { type: 'function_call', call_id: 'c2', name: 'g', arguments: '{ "a": 1 }' },
      { type: 'function_call_output', call_id: 'c2', output: 'two' },
      { type: 'function_call_output', call_id: 'c1', output: 'one' },
    ])
    const { json, losses } = write(conversation, 'openai-chat')
    expect(findInvalid('openai-chat', json)).toEqual([])
    const messages = listAt(json, 'messages')
    expect(messages.map(message => isObject(message) && message['role'])).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
    ])
    expect(JSON.stringify(json)).toContain(JSON.stringify('{ "a": 1 }'))
    expect(losses).toEqual([])
  })

  it('[X6] OpenAI responses: reasoning without its item is left out', () => {
    const conversation = read('openai-responses', [
      { role: 'user', content: 'go' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'e' },
      { role: 'user', content: 'and?' },
    ])
    expect(write(conversation, 'openai-responses').json).toEqual([
      { role: 'user', content: 'go' },
      { role: 'user', content: 'and?' },
    ])
  })

  it('[X6] OpenAI responses: the synthetic output of a custom tool has the type of custom tools', () => {
    const conversation = read('openai-responses', [
      { role: 'user', content: 'go' },
      { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: '*** Begin' },
    ])
    const { json } = write(conversation, 'openai-responses')
    expect(findInvalid('openai-responses', json)).toEqual([])
    expect(JSON.stringify(json)).toContain('custom_tool_call_output')
  })

  it('[X6] Gemini: a call of another model gets the value that skips the signature check; its own signature stays', () => {
    const own = read('gemini', [
      { role: 'user', parts: [{ text: 'go' }] },
      { role: 'model', parts: [{ functionCall: { name: 'f', args: {} }, thoughtSignature: 'real' }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { output: 'x' } } }] },
    ])
    const other = anthropic(
      user('more'),
      assistant(call('t1'), call('t2')),
      user([result('t1'), result('t2')]),
    )
    const messages = [
      ...own.messages,
      ...other.messages.map(message => ({ ...message, id: `b${message.id}` })),
    ]
    const { json } = write({ ...own, messages }, 'gemini')
    expect(findInvalid('gemini', json)).toEqual([])
    const signatures = JSON.stringify(json).match(/"thoughtSignature":"[^"]+"/g)
    expect(signatures).toEqual([
      '"thoughtSignature":"real"',
      '"thoughtSignature":"skip_thought_signature_validator"',
    ])
  })

  it('[X6] Gemini: a call directly follows the user, however many model messages come before it', () => {
    const conversation = read('gemini', [
      { role: 'user', parts: [{ text: 'go' }] },
      { role: 'model', parts: [{ text: 'one' }] },
      { role: 'model', parts: [{ text: 'two' }] },
      { role: 'model', parts: [{ functionCall: { name: 'f' } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] },
    ])
    const { json } = write(conversation, 'gemini')
    expect(findInvalid('gemini', json)).toEqual([])
    expect(json).toHaveLength(3)
  })

  it('[X6] the validators find the faults that they are for', () => {
    for (const [format, json] of refused)
      expect([format, findInvalid(format, json).length > 0]).toEqual([format, true])
  })
})

describe('losses', () => {
  it('[X6] tool results, images, signatures and redacted thinking are not dropped on the way to UI messages', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } }
    const conversation = anthropic(
      user('go'),
      assistant(
        { type: 'thinking', thinking: 'hm', signature: 'sig' },
        { type: 'redacted_thinking', data: 'red' },
        call('t1', { path: 'a' }),
      ),
      user([result('t1', [{ type: 'text', text: 'found' }, image])]),
    )
    expect(write(conversation, 'ui-messages').losses).toEqual([])
    expect(reasons(conversation, 'openai-responses')).toEqual([
      'm1.0 /type foreign-seal',
      'm1.0 /thinking foreign-seal',
      'm1.0 /signature foreign-seal',
      'm1.1 /type foreign-seal',
      'm1.1 /data foreign-seal',
    ])
  })

  it('[X6] citations, cache marks and argument bytes are reported, leaf by leaf', () => {
    const conversation = anthropic(
      user([{ type: 'text', text: 'go', cache_control: { type: 'ephemeral' } }]),
      assistant({ type: 'text', text: 'so', citations: [{ type: 'char_location', cited_text: 'word' }] }),
    )
    expect(reasons(conversation, 'gemini')).toEqual([
      'm0.0 /cache_control/type unsupported',
      'm1.0 /citations/0/type unsupported',
      'm1.0 /citations/0/cited_text unsupported',
    ])
    const chat = read('openai-chat', {
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"p": "B"}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'x' },
      ],
    })
    expect(reasons(chat, 'anthropic-messages')).toEqual(['m1.0 /function/arguments reshaped'])
    expect(write(chat, 'openai-responses').losses).toEqual([])
  })

  it('[X6] a conversation that another provider continues comes back complete', () => {
    const home: Json = {
      system: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }],
      messages: [
        user('go'),
        assistant({ type: 'thinking', thinking: 'hm', signature: 'sig' }, call('t1')),
        user([result('t1')]),
      ],
    }
    const sent: Sent = send(read('anthropic-messages', home), 'openai-chat')
    const abroad = sent.json as { messages: Json[] }
    const longer = {
      messages: [
        ...abroad.messages,
        { role: 'assistant', content: 'Done.' },
        { role: 'user', content: 'Thanks' },
      ],
    }
    const { json } = write(receive(longer, sent), 'anthropic-messages')
    expect(json).toEqual({
      ...(home as object),
      messages: [
        ...(home as { messages: Json[] }).messages,
        { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
        { role: 'user', content: [{ type: 'text', text: 'Thanks' }] },
      ],
    })
  })

  it('[X6] when the sent document was changed, it is parsed as it is', () => {
    const sent = send(anthropic(user('go')), 'openai-chat')
    const changed = receive({ messages: [{ role: 'user', content: 'stop' }] }, sent)
    expect(changed.messages[0]?.parts[0]).toMatchObject({ kind: 'text', text: 'stop' })
  })
})

describe('a changed part', () => {
  const change = (conversation: Conversation, id: string, how: (part: Part) => Part): Conversation => ({
    ...conversation,
    messages: conversation.messages.map(message => ({
      ...message,
      parts: message.parts.map(part => (part.id === id ? how(part) : part)),
    })),
  })

  it('[X6] keeps unchanged fields: ids, cache marks, signatures', () => {
    const marked = { ...result('t1', 'long'), cache_control: { type: 'ephemeral' } }
    const conversation = anthropic(user('go'), assistant(call('t1')), user([marked]))
    const cleared = change(conversation, 'm2.0', part =>
      part.kind === 'result' ? { ...part, content: [{ id: 'p', kind: 'text', text: '[cleared]' }] } : part,
    )
    const [, , answers] = listAt(write(cleared, 'anthropic-messages').json, 'messages')
    expect(answers).toEqual(
      user([
        { ...result('t1', [{ type: 'text', text: '[cleared]' }]), cache_control: { type: 'ephemeral' } },
      ]),
    )
  })

  it('[X6] Gemini keeps the signature of a call whose arguments were cleared', () => {
    const conversation = read('gemini', [
      { role: 'user', parts: [{ text: 'go' }] },
      { role: 'model', parts: [{ functionCall: { name: 'f', args: { big: 'x' } }, thoughtSignature: 's' }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] },
    ])
    const cleared = change(conversation, 'm1.0', part =>
      part.kind === 'call' ? { ...part, input: {} } : part,
    )
    const { json } = write(cleared, 'gemini')
    expect(findInvalid('gemini', json)).toEqual([])
    expect(JSON.stringify(json)).toContain('"thoughtSignature":"s"')
    expect(JSON.stringify(json)).not.toContain('big')
  })
})
