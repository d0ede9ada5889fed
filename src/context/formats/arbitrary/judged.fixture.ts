import type { Json } from '../../../protocol/json.ts'
import type { Format } from '../conversation.ts'

/** A document, and its fault; null when its provider accepts it. */
export interface Judged {
  readonly format: Format
  readonly document: Json
  readonly fault: string | null
}

const anthropic = (document: Json, fault: string | null): Judged => ({
  format: 'anthropic-messages',
  document,
  fault,
})
const chat = (document: Json, fault: string | null): Judged => ({ format: 'openai-chat', document, fault })
const responses = (document: Json, fault: string | null): Judged => ({
  format: 'openai-responses',
  document,
  fault,
})
const gemini = (document: Json, fault: string | null): Judged => ({ format: 'gemini', document, fault })
const ui = (part: Json, fault: string | null): Judged => ({
  format: 'ui-messages',
  document: [{ id: 'a', role: 'assistant', parts: [part] }],
  fault,
})

const ask = { role: 'user', content: 'go' }
const users = (...content: readonly Json[]) => ({ role: 'user', content })
const assistants = (...content: readonly Json[]) => ({ role: 'assistant', content })
const words = { type: 'text', text: 'x' }
const picture = (media_type: string) => ({
  type: 'image',
  source: { type: 'base64', media_type, data: 'QUJD' },
})
const marked = { ...words, cache_control: { type: 'ephemeral' } }
const using = assistants({ type: 'tool_use', id: 't', name: 'f', input: {} })
const answers = (content: Json) => [ask, using, users({ type: 'tool_result', tool_use_id: 't', content })]

const ofAnthropic: readonly Judged[] = [
  anthropic([users({ type: 'text' })], 'Block 0 of message 0 is a blank text.'),
  anthropic([users(words, { type: 'text', text: 5 })], 'Block 1 of message 0 is a blank text.'),
  anthropic([users({ type: 'image' })], 'Block 0 of message 0 is an image without a source.'),
  anthropic([users(picture('image/bmp'))], 'Block 0 of message 0 is an image of the type image/bmp.'),
  anthropic(
    [ask, assistants(picture('image/png')), ask],
    'Block 0 of message 1 is an image from the assistant.',
  ),
  anthropic(
    [ask, assistants({ type: 'thinking', thinking: 'x', signature: '' }, words)],
    'Block 0 of message 1 is thinking without a signature.',
  ),
  ...[
    { type: 'thinking', thinking: 'x', signature: 's' },
    { type: 'redacted_thinking', data: 'd' },
  ].map(thought =>
    anthropic(
      [ask, assistants({ ...thought, cache_control: { type: 'ephemeral' } }, words)],
      'Block 0 of message 1 is thinking with a cache mark.',
    ),
  ),
  ...['image', 'document'].map(type =>
    anthropic(
      [users(words, { type, source: { type: 'url', url: 'http://x.example/a' } })],
      `Block 1 of message 0 is of type ${type}, but not at an https URL.`,
    ),
  ),
  anthropic([users(words, { type: 'image', source: { type: 'url', url: 'HTTPS://x.example/a' } })], null),
  anthropic(
    [ask, assistants({ type: 'thinking', thinking: 'x', signature: 's', cache_control: null }, words)],
    null,
  ),
  anthropic(
    [ask, assistants({ type: 'redacted_thinking' }, words)],
    'Block 0 of message 1 is redacted thinking without data.',
  ),
  anthropic(
    [users({ type: 'thinking', thinking: 'x', signature: 's' }, words)],
    'Block 0 of message 0 is thinking, but not from the assistant.',
  ),
  anthropic(
    { system: [marked], messages: [users(marked, marked, marked, marked)] },
    'There are 5 cache marks, but only 4 are allowed.',
  ),
  anthropic(
    { system: [{ type: 'text', text: '' }], messages: [ask] },
    'Block 0 of the system prompt is an empty text.',
  ),
  anthropic(
    { system: [picture('image/png')], messages: [ask] },
    'Block 0 of the system prompt is of type image in a system prompt.',
  ),
  anthropic(
    {
      system: [{ type: 'search_result', source: 's', title: 't', content: [words] }],
      messages: [ask],
    },
    'Block 0 of the system prompt is of type search_result in a system prompt.',
  ),
  anthropic(answers(5), 'Block 0 of message 2 is a result that is neither a text nor a list.'),
  anthropic(
    answers([{ type: 'text', text: '' }]),
    'Block 0 of message 2 is a result whose block 0 is an empty text.',
  ),
  anthropic(
    answers([words, { type: 'tool_use', id: 'u', name: 'f', input: {} }]),
    'Block 0 of message 2 is a result whose block 1 is of type tool_use.',
  ),
  anthropic(answers(''), null),
  anthropic(answers([words, picture('image/webp'), { type: 'tool_reference', tool_name: 'z' }]), null),
  anthropic({ system: [marked], messages: [users(marked, marked, marked)] }, null),
  anthropic([ask, assistants({ type: 'thinking', thinking: '', signature: 's' }, words)], null),
  anthropic(
    [users({ type: 'new_block', any: 1 }), assistants({ type: 'container_upload', file_id: 'f' })],
    null,
  ),
]

const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
const calling = (...tool_calls: readonly Json[]) => ({ role: 'assistant', content: null, tool_calls })
const told = (content: Json) => ({ role: 'tool', tool_call_id: 'c', content })
const look = { type: 'image_url', image_url: { url: 'https://x.example/a.png' } }
const old = { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } }

const ofChat: readonly Judged[] = [
  chat(
    [ask, { role: 'assistant', content: 'x', tool_calls: [] }],
    'Message 1 has an empty list of tool_calls.',
  ),
  chat([users({ text: 'x' })], 'Part 0 of message 0 has no type.'),
  chat(
    [ask, calling({ id: 'c', function: call.function }), told('x')],
    'Call 0 of message 1 has an unknown type.',
  ),
  chat(
    [ask, calling({ ...call, function: { name: 'f', arguments: {} } }), told('x')],
    'Call 0 of message 1 has no string as arguments.',
  ),
  ...[
    [ask, calling(call), told([words, look])],
    [ask, assistants(words, look)],
    [{ role: 'system', content: [words, look] }, ask],
  ].map((document, at) =>
    chat(
      document,
      `Part 1 of message ${[2, 1, 0][at] ?? 0} is of type image_url, which only the user may have.`,
    ),
  ),
  chat(
    [users({ type: 'image_url', image_url: 'https://x.example/a.png' })],
    'Part 0 of message 0 is of type image_url, but a required field is missing.',
  ),
  chat(
    [users({ type: 'image_url', image_url: { url: 'blob:http://x' } })],
    'Part 0 of message 0 is of type image_url, but a required field is missing.',
  ),
  chat([ask, old, { role: 'function', content: 'x' }], 'Message 2 does not name its function.'),
  chat([ask, old, { role: 'function', name: 'f', content: null }], null),
  chat([ask, old, { role: 'function', name: 'f', content: 'x' }], null),
  chat([users(words, look, { type: 'new_part', any: 1 }), calling(call), told([words])], null),
  chat([ask, assistants(words, { type: 'refusal', refusal: 'no' })], null),
]

const asked = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }
const output = { type: 'function_call_output', call_id: 'c', output: 'x' }
const click = { type: 'computer_call', call_id: 'k', action: { type: 'click' } }

const ofResponses: readonly Judged[] = [
  responses(
    [ask, assistants({ type: 'input_text', text: 'x' })],
    'Part 0 of item 1 is of type input_text, which the assistant may not have.',
  ),
  responses(
    [users({ type: 'output_text', text: 'x' })],
    'Part 0 of item 0 is of type output_text, which only the assistant may have.',
  ),
  responses([users({ text: 'x' })], 'Part 0 of item 0 has no type.'),
  responses(
    [ask, { ...asked, id: 'i' }, { ...asked, id: 'i', call_id: 'd' }, output, { ...output, call_id: 'd' }],
    'Two items have the id i.',
  ),
  responses(
    [ask, { type: 'function_call', call_id: 'c', name: 'f' }, output],
    'Item 1 is a call without a string as arguments.',
  ),
  ...[{}, { output: { x: 1 } }].map(said =>
    responses(
      [ask, asked, { type: 'function_call_output', call_id: 'c', ...said }],
      'Item 2 is an output that is neither a string nor a list.',
    ),
  ),
  responses(
    [ask, { type: 'reasoning', id: 'r' }, { role: 'assistant', content: 'x' }],
    'Item 1 is reasoning without a summary.',
  ),
  responses({}, 'There is no input.'),
  responses({ input: [] }, 'There is no input.'),
  responses([ask, click], 'The computer call k has no output.'),
  responses([ask, click, { type: 'computer_call_output', call_id: 'k', output: { type: 'x' } }], null),
  responses({ prompt: { id: 'p' }, input: [] }, null),
  responses({ previous_response_id: 'r', input: [output] }, null),
  responses([ask, asked, { ...output, output: [{ type: 'input_image', file_id: 'f' }] }], null),
  responses(
    [{ role: 'assistant', content: 'x' }, users({ type: 'new_part' }), { type: 'future_item' }],
    null,
  ),
]

const says = (...parts: readonly Json[]) => ({ role: 'user', parts })
const asks = (functionCall: Json) => ({ role: 'model', parts: [{ functionCall, thoughtSignature: 's' }] })
const go = says({ text: 'go' })
const responds = (functionResponse: Json) => says({ functionResponse })

const ofGemini: readonly Judged[] = [
  gemini([says({})], 'Part 0 of content 0 is empty.'),
  gemini(
    [says({ text: 'x', inlineData: { mimeType: 'image/png', data: 'QUJD' } })],
    'Part 0 of content 0 has text and inlineData at once.',
  ),
  gemini([says({ text: 5 })], 'Part 0 of content 0 has a text that is not a string.'),
  gemini(
    [says({ inlineData: { data: 'QUJD' } })],
    'Part 0 of content 0 has inlineData without mimeType or data.',
  ),
  gemini(
    { system_instruction: { parts: [{ file_data: { file_uri: 'gs://a' } }] }, contents: [go] },
    'Part 0 of the system instruction has file_data, where only text is allowed.',
  ),
  gemini(
    [go, asks({ id: 'a', name: 'f' }), responds({ id: 'b', name: 'f', response: {} })],
    'Content 2 answers the call "b", which is not in content 1.',
  ),
  gemini(
    [go, { role: 'model', parts: [{ function_call: { name: 'f' } }] }, go],
    'Content 1 has 1 calls (f) and 0 responses.',
  ),
  gemini([go, asks({ id: 'a', name: 'f' }), responds({ name: 'f', response: {} })], null),
  gemini([says({ newKind: { any: 1 } }, { fileData: { fileUri: 'gs://a' } })], null),
  gemini(
    [
      says({ inline_data: { mime_type: 'image/png', data: 'QUJD' } }),
      { role: 'model', parts: [{ function_call: { name: 'f' }, thought_signature: 's' }] },
      says({ function_response: { name: 'f', response: { a: 1 } } }),
    ],
    null,
  ),
]

const tool = (state: string, more: { readonly [key: string]: Json } = {}) => ({
  type: 'tool-f',
  toolCallId: 'c',
  state,
  ...more,
})
const toolFault = (state: string, key: string) =>
  `Part 0 of message 0 is a tool in the state ${state}, but its ${key} is missing or wrong.`
const partFault = (type: string, key: string) =>
  `Part 0 of message 0 is of type ${type}, but its ${key} is missing or wrong.`

const ofUi: readonly Judged[] = [
  { format: 'ui-messages', document: [], fault: 'There are no messages.' },
  {
    format: 'ui-messages',
    document: [{ id: 'u', role: 'user', parts: [] }],
    fault: 'Message 0 has no parts.',
  },
  { format: 'ui-messages', document: [{ id: 'u', role: 'assistant', parts: [] }], fault: null },
  ui({ type: 'text' }, partFault('text', 'text')),
  ui({ type: 'text', text: 'x', state: 'open' }, partFault('text', 'state')),
  ui({ type: 'text', text: 'x', providerMetadata: { a: 1 } }, partFault('text', 'providerMetadata')),
  ui({ type: 'text', text: 'x', citations: [1] }, partFault('text', 'citations')),
  ui({ type: 'file', mediaType: 'image/png' }, partFault('file', 'url')),
  ui({ type: 'source-url', sourceId: 's' }, partFault('source-url', 'url')),
  ui({ type: 'data-x' }, partFault('data-x', 'data')),
  ui({ type: 'tea' }, 'Part 0 of message 0 is of the unknown type tea.'),
  ui(tool('input-available'), toolFault('input-available', 'input')),
  ui(tool('output-available', { input: {} }), toolFault('output-available', 'output')),
  ui(tool('approval-requested', { input: {} }), toolFault('approval-requested', 'approval')),
  ui(tool('output-denied', { input: {} }), toolFault('output-denied', 'approval')),
  ui(
    tool('output-denied', { input: {}, approval: { id: 'a', approved: true } }),
    toolFault('output-denied', 'approval'),
  ),
  ui(tool('input-available', { input: {}, output: 1 }), toolFault('input-available', 'output')),
  ui({ ...tool('input-streaming'), type: 'dynamic-tool' }, toolFault('input-streaming', 'toolName')),
  ui(tool('done'), 'Part 0 of message 0 is a tool in the unknown state done.'),
  ui(tool('output-error', { errorText: 'x' }), null),
  ui(tool('output-available', { input: null, output: null, own: 1 }), null),
  ui(tool('output-denied', { input: {}, approval: { id: 'a', approved: false, reason: 'no' } }), null),
  ui({ type: 'custom', kind: 'x' }, null),
  ui({ type: 'source-document', sourceId: 's', mediaType: 'a/b', title: 't' }, null),
  ui({ type: 'steering-message', id: 's', parts: [{ type: 'text', text: 'x' }] }, null),
]

/** Documents that providers take, and others with one fault each. */
export const judged: readonly Judged[] = [...ofAnthropic, ...ofChat, ...ofResponses, ...ofGemini, ...ofUi]
