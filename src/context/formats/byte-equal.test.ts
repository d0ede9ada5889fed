import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { formats } from './codecs.ts'
import type { Conversation, Format } from './conversation.ts'
import { findInvalid, read } from './read.ts'
import { receive, send } from './send.ts'
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
  it('[X8] call ids that repeat in each step stay the same in OpenAI chat and UI messages', () => {
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

  it('[X8] OpenAI responses: an output may answer a call in a conversation that OpenAI keeps', () => {
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

const asked = { role: 'user', content: 'go' }
const marked = (text: string) => ({ type: 'text', text, cache_control: { type: 'ephemeral' } })
const uses = { type: 'tool_use', id: 't', name: 'f', input: {} }
const marks: Json = {
  tools: [{ name: 'f', cache_control: { type: 'ephemeral' } }],
  system: [marked('be kind')],
  messages: [
    asked,
    { role: 'assistant', content: [uses] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [marked('in')] }] },
    { role: 'user', content: ['a', 'b', 'c'].map(marked) },
  ],
}
const blank = 'I think that \n'

/** Whole documents that their providers refuse only because they are unfinished. */
const unfinished: readonly (readonly [string, Format, Json])[] = [
  ...(['anthropic-messages', 'openai-chat'] as const).flatMap(format => [
    ['no messages', format, { messages: [] }] as const,
    ['no messages, and settings', format, { model: 'm', messages: [] }] as const,
    ['no messages in a bare list', format, []] as const,
    ['white space at the end', format, [asked, { role: 'assistant', content: blank }]] as const,
    [
      'white space at the end of a block',
      format,
      { messages: [asked, { role: 'assistant', content: [{ type: 'text', text: blank }] }] },
    ] as const,
  ]),
  ['no messages, and a system prompt', 'anthropic-messages', { system: 'be kind', messages: [] }],
  ['no messages, and a system prompt', 'openai-responses', { instructions: 'be kind', input: [] }],
  [
    'no messages, and a system prompt',
    'gemini',
    { systemInstruction: { parts: [{ text: 'x' }] }, contents: [] },
  ],
  ['no messages', 'openai-responses', { input: [] }],
  ['no messages in a bare list', 'openai-responses', []],
  ['white space at the end', 'openai-responses', { input: [asked, { role: 'assistant', content: blank }] }],
  ['no messages', 'gemini', { contents: [] }],
  ['no messages in a bare list', 'gemini', []],
  [
    'white space at the end',
    'gemini',
    {
      contents: [
        { role: 'user', parts: [{ text: 'go' }] },
        { role: 'model', parts: [{ text: blank }] },
      ],
    },
  ],
  ['no messages', 'ui-messages', { messages: [] }],
  ['no messages in a bare list', 'ui-messages', []],
  [
    'white space at the end',
    'ui-messages',
    [
      { id: '1', role: 'user', parts: [{ type: 'text', text: 'go' }] },
      { id: '2', role: 'assistant', parts: [{ type: 'text', text: blank }] },
    ],
  ],
  ['more cache marks than are taken', 'anthropic-messages', marks],
]

describe('an unchanged document', () => {
  for (const [what, from, document] of unfinished)
    it(`[X6] ${from}, ${what}: byte-equal in its own format and through every other, where it is valid`, () => {
      const conversation = read(from, document)
      const { json: same, losses } = write(conversation, from)
      expect([JSON.stringify(same), losses]).toEqual([JSON.stringify(document), []])
      for (const to of formats.filter(format => format !== from)) {
        const sent = send(conversation, to)
        expect([to, findInvalid(to, sent.json)]).toEqual([to, []])
        const back = receive(JSON.parse(JSON.stringify(sent.json)) as Json, sent)
        expect([to, JSON.stringify(write(back, from).json)]).toEqual([to, JSON.stringify(document)])
      }
    })

  it('[X6] is repaired once it was changed, or when its native document is left out, as the compiler does', () => {
    const changes: readonly ((conversation: Conversation) => Conversation)[] = [
      ({ system, messages }) => ({ system, messages }),
      ({ messages, ...rest }) => ({ ...rest, messages: [...messages, ...messages.slice(0, 1)] }),
      ({ messages, ...rest }) => ({ ...rest, messages: messages.slice(0, -1) }),
      ({ messages, ...rest }) => ({
        ...rest,
        messages: messages.map(message => ({
          ...message,
          parts: message.parts.map(part => (part.kind === 'text' ? { ...part, text: 'So: ' } : part)),
        })),
      }),
    ]
    for (const [what, format, document] of unfinished)
      for (const [at, change] of changes.entries()) {
        const changed = change(read(format, document))
        // A document without messages has none to change.
        if (at > 0 && read(format, document).messages.length === 0) continue
        const { json } = write(changed, format)
        expect([what, format, at, findInvalid(format, json)]).toEqual([what, format, at, []])
      }
  })
})

describe('a truncated document', () => {
  it('[X6] is repaired at its new end, and when nothing is left of it', () => {
    const answered = { role: 'assistant', content: blank }
    for (const [format, document] of [
      ['anthropic-messages', { model: 'm', messages: [asked, answered, asked] }],
      ['openai-chat', { messages: [asked, answered, asked] }],
      ['openai-responses', { input: [asked, answered, asked] }],
      ['gemini', { contents: [{ role: 'user', parts: [{ text: 'go' }] }] }],
      ['ui-messages', [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'go' }] }]],
    ] as const) {
      const whole = read(format, document)
      for (const left of [2, 1, 0]) {
        const { json } = write({ ...whole, messages: whole.messages.slice(0, left) }, format)
        expect([format, left, findInvalid(format, json)]).toEqual([format, left, []])
      }
    }
  })
})

describe('a document without a list of messages', () => {
  it('[X6] gets one that is valid for its provider', () => {
    for (const format of formats)
      for (const document of [
        {},
        { model: 'm' },
        { messages: null },
        { input: null },
        { contents: {} },
        null,
        'x',
        5,
      ]) {
        const { json } = write(read(format, document), format)
        expect([format, document, findInvalid(format, json)]).toEqual([format, document, []])
      }
  })
})

describe('a document whose system prompt has no list of parts', () => {
  it('[X6] is repaired, also when it has no contents', () => {
    const document = { systemInstruction: { parts: '', role: 'system' }, contents: [] }
    expect(findInvalid('gemini', write(read('gemini', document), 'gemini').json)).toEqual([])
  })
})

describe('names of tools in Gemini', () => {
  const asks = (name: string, id?: string) => ({
    role: 'model',
    parts: [{ functionCall: { ...(id !== undefined && { id }), name, args: {} } }],
  })
  const answers = (name: string, id?: string) => ({
    role: 'user',
    parts: [{ functionResponse: { ...(id !== undefined && { id }), name, response: { output: 'y' } } }],
  })
  const contents = (...steps: Json[]): Json => ({
    contents: [{ role: 'user', parts: [{ text: 'go' }] }, ...steps],
  })

  it('[X6] are the same in calls and responses, also where they must be changed', () => {
    for (const id of [undefined, 'c1'])
      for (const [called, answered] of [
        ['', ''],
        ['x'.repeat(130), 'x'.repeat(130)],
        ['ns tool', 'other'],
        ['x'.repeat(130), 'other'],
      ] as const) {
        const document = contents(asks(called, id), answers(answered, id))
        expect(findInvalid('gemini', document)).not.toEqual([])
        const { json } = write(read('gemini', document), 'gemini')
        expect([id, called, answered, findInvalid('gemini', json)]).toEqual([id, called, answered, []])
      }
  })

  it('[X6] stay where Gemini accepts them', () => {
    for (const name of ['ns.tool', 'a tool', 'x'.repeat(128)]) {
      const document = contents(asks(name), answers(name))
      expect(write(read('gemini', document), 'gemini')).toEqual({ json: document, losses: [] })
    }
  })
})

describe('input that a provider refuses is written differently, and reported', () => {
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
      expect(findInvalid(to, write({ system: [], messages: [] }, to).json)).toEqual([])
      if (to === 'anthropic-messages') {
        expect(JSON.stringify(json)).toContain('"ns_tool_do-it_2"')
        expect(losses).toContainEqual(expect.objectContaining({ path: '/text', why: 'reshaped' }))
        expect(losses).toContainEqual(expect.objectContaining({ path: '/type', part: '2.0' }))
      }
    }
  })
})
