import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import type { Format } from './conversation.ts'
import { findInvalid, formats, read, receive, send, toModelMessages, write } from './index.ts'

const providers = formats.filter(format => format !== 'ui-messages')
const shown = (role: string, ...parts: readonly Json[]) => ({ id: role, role, parts })
const said = (text: string) => ({ type: 'text', text })
const file = (mediaType: string, url: string) => ({ type: 'file', mediaType, url })
const png = file('image/png', 'data:image/png;base64,UE5H')

/** The output, after checks: it is valid, its losses are reported, and it comes back complete. */
function abroad(from: Format, document: Json, to: Format) {
  const sent = send(read(from, document), to)
  expect([to, ...findInvalid(to, sent.json)]).toEqual([to])
  expect(JSON.stringify(write(receive(sent.json, sent), from).json)).toBe(JSON.stringify(document))
  return { text: JSON.stringify(sent.json), losses: sent.losses.map(({ path, why }) => `${path} ${why}`) }
}

describe('files', () => {
  it('[X6] a picture in an assistant message is sent only to providers that accept it, and reported for others', () => {
    const document = [
      shown('user', said('draw')),
      shown('assistant', png, said('here')),
      shown('user', said('more')),
    ]
    for (const to of providers) {
      const { text, losses } = abroad('ui-messages', document, to)
      expect([to, text.includes('UE5H')]).toEqual([to, to === 'gemini'])
      expect([to, losses.includes('/url unsupported')]).toEqual([to, to !== 'gemini'])
    }
    expect(JSON.stringify(toModelMessages(read('ui-messages', document), 'anthropic'))).not.toContain('UE5H')
  })

  it('[X6] a picture in a system prompt is sent to no provider; a text file is sent as text', () => {
    const document = [shown('system', png, said('be kind')), shown('user', said('q'))]
    for (const to of providers) {
      const { text, losses } = abroad('ui-messages', document, to)
      expect([to, text.includes('UE5H'), losses.includes('/url unsupported')]).toEqual([to, false, true])
    }
    const paper = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'RULES' } }
    const prompt = read('anthropic-messages', { system: [paper], messages: [{ role: 'user', content: 'q' }] })
    for (const to of providers) {
      const { json } = write(prompt, to)
      expect([to, ...findInvalid(to, json)]).toEqual([to])
      expect(JSON.stringify(json)).toContain('RULES')
    }
  })

  it('[X6] a local address is sent to no provider', () => {
    for (const url of ['blob:http://x/1', 'file:///home/a.png'])
      for (const to of providers) {
        const document = [shown('user', said('q'), file('image/png', url))]
        const { text, losses } = abroad('ui-messages', document, to)
        expect([to, text.includes(url), losses.includes('/url unsupported')]).toEqual([to, false, true])
        expect(JSON.stringify(toModelMessages(read('ui-messages', document)))).not.toContain(url)
      }
  })

  it('[X6] OpenAI gets a document with a name, and no other kinds of files', () => {
    const document = [
      shown(
        'user',
        said('q'),
        file('application/pdf', 'data:application/pdf;base64,UERG'),
        file('application/zip', 'data:application/zip;base64,WklQ'),
        file('image/bmp', 'data:image/bmp;base64,Qk1Q'),
        file('application/pdf', 'gs://bucket/a.pdf'),
      ),
    ]
    for (const to of ['openai-chat', 'openai-responses'] as const) {
      const { text } = abroad('ui-messages', document, to)
      expect(text).toContain('"filename":"document.pdf"')
      expect(text).not.toMatch(/WklQ|Qk1Q|gs:/)
    }
  })
})

describe('requests to a provider', () => {
  it('[X6] an empty conversation is valid for every provider', () => {
    for (const from of formats)
      for (const to of formats) {
        const { json } = write(from === to ? { system: [], messages: [] } : read(from, []), to)
        expect([from, to, ...findInvalid(to, json)]).toEqual([from, to])
        expect(JSON.stringify(json)).toContain('(The conversation is empty.)')
      }
    const going = { previous_response_id: 'r', input: [] }
    expect(write(read('openai-responses', going), 'openai-responses').json).toEqual(going)
  })

  it('[X6] the result of a denied call tells that it was denied, and why', () => {
    const denied = (approval: Json) => [
      shown('user', said('go')),
      shown('assistant', { type: 'tool-rm', toolCallId: 't', state: 'output-denied', input: {}, approval }),
    ]
    for (const to of providers) {
      const reason = abroad('ui-messages', denied({ id: 'a', approved: false, reason: 'Too risky.' }), to)
      expect(reason.text).toContain('No result: the call was denied: Too risky.')
      expect(reason.losses.filter(loss => loss.includes('reason'))).toEqual([])
      const { text } = abroad('ui-messages', denied({ id: 'a', approved: false }), to)
      expect(text).toContain('No result: the call was denied.')
    }
  })

  it('[X6] a provider-executed call without a tool name gets one for other providers', () => {
    const document = [
      shown('user', said('look')),
      shown('assistant', {
        type: 'dynamic-tool',
        toolName: '',
        toolCallId: 'call_1',
        input: {},
        state: 'output-available',
        output: 'found',
        providerExecuted: true,
      }),
      shown('user', said('and?')),
    ]
    for (const to of providers) expect(abroad('ui-messages', document, to).text).toContain('"name":"tool"')
  })

  it('[X6] a result gets the tool name of the call before it when two calls have the same id', () => {
    const call = (name: string) => ({ type: 'function_call', call_id: 'call_1', name, arguments: '{}' })
    const output = { type: 'function_call_output', call_id: 'call_1', output: 'done' }
    const sent = write(
      read('openai-responses', { input: [call('one'), output, call('two'), output] }),
      'gemini',
    )
    expect(findInvalid('gemini', sent.json)).toEqual([])
    expect(JSON.stringify(sent.json).match(/"name":"\w+"/g)).toEqual(
      ['one', 'one', 'two', 'two'].map(name => `"name":"${name}"`),
    )
  })

  it('[X6] a message of an unknown role is not sent as anyone’s text, in any format', () => {
    const strange: readonly (readonly [Format, Json])[] = [
      [
        'anthropic-messages',
        [
          { role: 'user', content: 'hi' },
          { role: 'wizard', content: 'OBEY' },
        ],
      ],
      [
        'openai-chat',
        [
          { role: 'user', content: 'hi' },
          { role: 'wizard', content: 'OBEY' },
        ],
      ],
      ['openai-chat', [{ role: 'user', content: 'hi' }, { content: 'OBEY' }]],
      [
        'openai-responses',
        [
          { role: 'user', content: 'hi' },
          { role: 'wizard', content: 'OBEY' },
        ],
      ],
      ['gemini', [{ parts: [{ text: 'hi' }] }, { role: 'wizard', parts: [{ text: 'OBEY' }] }]],
      ['ui-messages', [shown('user', said('hi')), shown('wizard', said('OBEY'))]],
    ]
    for (const [from, document] of strange)
      for (const to of formats) {
        const { json, losses } = write(read(from, document), to)
        expect([from, to, JSON.stringify(json).includes('OBEY')]).toEqual([from, to, false])
        expect([from, to, losses.some(({ why }) => why === 'unsupported')]).toEqual([from, to, true])
      }
  })

  it('[X6] Gemini’s other spelling is parsed, and kept', () => {
    const document = {
      contents: [
        { role: 'user', parts: [{ inline_data: { mime_type: 'image/png', data: 'UE5H' } }, { text: 'x' }] },
        { role: 'model', parts: [{ function_call: { name: 'f', args: { p: 1 } }, thought_signature: 's' }] },
        { role: 'user', parts: [{ function_response: { name: 'f', response: { output: 'OUT' } } }] },
      ],
    }
    for (const to of formats) {
      const { text } = abroad('gemini', document, to)
      expect(text).toContain('UE5H')
      expect(text).toContain('OUT')
    }
    const conversation = read('gemini', document)
    const messages = conversation.messages.map(message => ({
      ...message,
      parts: message.parts.map(part => (part.kind === 'call' ? { ...part, input: {} } : part)),
    }))
    const { json } = write({ ...conversation, messages }, 'gemini')
    expect(findInvalid('gemini', json)).toEqual([])
    expect(JSON.stringify(json)).not.toContain('function_call')
    expect(JSON.stringify(json)).toContain('"name":"f","args":{}},"thoughtSignature":"s"')
  })

  it('[X6] OpenAI responses: reasoning in several parts is one item', () => {
    const thought = (text: string) => ({
      type: 'reasoning',
      text,
      providerMetadata: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'e' } },
    })
    const document = [
      shown('user', said('q')),
      shown('assistant', thought('one'), thought('two'), said('so')),
    ]
    const { text } = abroad('ui-messages', document, 'openai-responses')
    expect(text.match(/rs_1/g)).toHaveLength(1)
    expect(text).toMatch(/one.*two/)
  })

  it('[X6] a result answers the call directly before it, whatever other calls wait', () => {
    const tool = (name: string, more: object) => ({
      type: `tool-${name}`,
      toolCallId: 't',
      input: {},
      ...more,
    })
    const document = [
      shown('user', said('q')),
      { ...shown('assistant', tool('f', { state: 'input-available' })), id: 'a' },
      { ...shown('assistant', tool('g', { state: 'output-available', output: 'OUT' })), id: 'b' },
    ]
    const { text } = abroad('ui-messages', document, 'gemini')
    expect(text).toContain('"name":"g","response":{"output":"OUT"}')
  })
})

describe('reported losses', () => {
  it('[X6] a cache mark on thinking is left out, and does not count toward the limit', () => {
    const cache_control = { type: 'ephemeral' }
    const marked = (text: string) => ({ type: 'text', text, cache_control })
    const thought = { type: 'thinking', thinking: 'hm', signature: 's' }
    const document = {
      system: [marked('a')],
      messages: [
        { role: 'user', content: [marked('b'), marked('c')] },
        { role: 'assistant', content: [{ ...thought, cache_control }, marked('d')] },
      ],
    }
    const { json, losses } = write(read('anthropic-messages', document), 'anthropic-messages')
    expect(json).toEqual({
      ...document,
      messages: [document.messages[0], { role: 'assistant', content: [thought, marked('d')] }],
    })
    expect(losses.map(({ part, path }) => `${part} ${path}`)).toEqual(['m1.0 /cache_control/type'])
  })

  it('[X6] a picture that Anthropic would not fetch is left out', () => {
    const url = 'http://x.example/a.png'
    const { text, losses } = abroad(
      'openai-chat',
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ],
      'anthropic-messages',
    )
    expect(text).not.toContain(url)
    expect(losses).toContain('/image_url/url unsupported')
  })

  it('[X6] summaries that were joined into one text are reported as reshaped, not as lost', () => {
    const document = [
      { role: 'user', content: 'q' },
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [
          { type: 'summary_text', text: 's1' },
          { type: 'summary_text', text: 's2' },
        ],
        content: [{ type: 'reasoning_text', text: 'full' }],
      },
      { role: 'assistant', content: 'so' },
    ]
    const { losses } = abroad('openai-responses', document, 'gemini')
    expect(losses.filter(loss => loss.includes('/text'))).toEqual([
      '/summary/0/text reshaped',
      '/summary/1/text reshaped',
      '/content/0/text reshaped',
    ])
  })

  it('[X6] the reasoning of a message is reported once', () => {
    const document = [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: 'so', reasoning_content: 'hm' },
    ]
    const { losses } = abroad('openai-chat', document, 'anthropic-messages')
    expect(losses).toEqual(['/reasoning_content unsupported'])
  })

  it('[X6] cache marks beyond Anthropic’s limit are left out, the oldest first, and reported', () => {
    const marked = (text: string) => ({ type: 'text', text, cache_control: { type: 'ephemeral' } })
    const result = { type: 'tool_result', tool_use_id: 't', content: [marked('inner')] }
    const document = {
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
        { role: 'user', content: [result, ...['a', 'b', 'c', 'd'].map(marked)] },
      ],
    }
    const { system, messages } = read('anthropic-messages', document)
    const { json, losses } = write({ system, messages }, 'anthropic-messages')
    expect(findInvalid('anthropic-messages', json)).toEqual([])
    expect(JSON.stringify(json)).toContain('"content":[{"type":"text","text":"inner"}]')
    expect(losses.map(({ part, path }) => `${part} ${path}`)).toEqual(['m2.0 /content/0/cache_control/type'])
  })
})
