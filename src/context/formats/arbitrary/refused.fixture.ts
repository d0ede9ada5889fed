import type { Json } from '../../../protocol/json.ts'
import type { Format } from '../conversation.ts'

const use = { type: 'tool_use', id: 't', name: 'f', input: {} }
const answer = { type: 'tool_result', tool_use_id: 't', content: 'x' }
const text = { type: 'text', text: 'x' }
const chatCall = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
}
const functionCall = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }
const asks = { role: 'model', parts: [{ functionCall: { name: 'f' } }] }
const says = { role: 'user', parts: [{ text: 'go' }] }
const responds = { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] }

/** Documents that their providers refuse, one rule each. */
export const refused: readonly (readonly [Format, Json])[] = [
  [
    'anthropic-messages',
    [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [use] },
    ],
  ],
  ['anthropic-messages', [{ role: 'user', content: [answer] }]],
  [
    'anthropic-messages',
    [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [use] },
      { role: 'user', content: [text, answer] },
    ],
  ],
  [
    'anthropic-messages',
    [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [use] },
      { role: 'user', content: [answer, answer] },
    ],
  ],
  [
    'anthropic-messages',
    [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [text, { type: 'thinking', thinking: 'x', signature: 's' }] },
    ],
  ],
  [
    'anthropic-messages',
    [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'x' }, text] },
    ],
  ],
  ['anthropic-messages', [{ role: 'user', content: [] }]],
  ['anthropic-messages', [{ role: 'user', content: ' \n' }]],
  ['anthropic-messages', [{ role: 'user', content: [text, { type: 'text', text: '\n\n' }] }]],
  ['anthropic-messages', [{ role: 'assistant', content: 'first' }]],
  ['anthropic-messages', [{ role: 'tool', content: 'x' }]],
  ['openai-chat', [{ role: 'user', content: 'go' }, chatCall]],
  [
    'openai-chat',
    [
      { role: 'user', content: 'go' },
      chatCall,
      { role: 'user', content: 'and?' },
      { role: 'tool', tool_call_id: 'c', content: 'x' },
    ],
  ],
  ['openai-chat', [{ role: 'tool', tool_call_id: 'c', content: 'x' }]],
  ['openai-chat', [{ role: 'narrator', content: 'x' }]],
  ['openai-responses', [functionCall]],
  ['openai-responses', [{ type: 'function_call_output', call_id: 'c', output: 'x' }]],
  ['openai-responses', [{ type: 'function_call_output', call_id: 'c', output: 'x' }, functionCall]],
  [
    'openai-responses',
    [
      { type: 'reasoning', id: 'r', summary: [] },
      { role: 'user', content: 'x' },
    ],
  ],
  ['openai-responses', [{ type: 'reasoning', id: 'r', summary: [] }]],
  ['gemini', [says, asks]],
  ['gemini', [says, responds]],
  ['gemini', [says, asks, { ...responds, parts: [...responds.parts, ...responds.parts] }]],
  ['gemini', [asks, responds]],
  [
    'gemini',
    [
      says,
      { role: 'model', parts: [{ functionCall: { name: 'f' }, thoughtSignature: 's' }] },
      responds,
      asks,
      responds,
    ],
  ],
  ['anthropic-messages', []],
  ['openai-chat', { messages: [] }],
  ['gemini', { contents: [] }],
  [
    'anthropic-messages',
    [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: 'I think that \n' },
    ],
  ],
  ...['ns.tool:do-it', 'x'.repeat(129)].map((name): readonly [Format, Json] => [
    'anthropic-messages',
    [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [{ ...use, name }] },
      { role: 'user', content: [answer] },
    ],
  ]),
  ...['ns.tool:do-it', 'x'.repeat(65)].flatMap((name): readonly (readonly [Format, Json])[] => [
    [
      'openai-chat',
      [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'x' },
      ],
    ],
    [
      'openai-responses',
      [
        { ...functionCall, name },
        { type: 'function_call_output', call_id: 'c', output: 'x' },
      ],
    ],
  ]),
  ...['data:image/png;base64,QUJD', 'blob:x', 'file:///a.png'].map((fileUri): readonly [Format, Json] => [
    'gemini',
    [{ role: 'user', parts: [{ fileData: { mimeType: 'image/png', fileUri } }] }],
  ]),
  ['ui-messages', [{ role: 'user', parts: [] }]],
  [
    'ui-messages',
    [
      {
        id: 'a',
        role: 'assistant',
        parts: [{ type: 'dynamic-tool', toolName: 'f', toolCallId: 'c', state: 'done' }],
      },
    ],
  ],
]
