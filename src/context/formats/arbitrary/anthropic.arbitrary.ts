import fc from 'fast-check'
import type { Json } from '../../../protocol/json.ts'
import { calls, data, extra, json, maybe, merged, object, rounds, text, word } from './words.arbitrary.ts'

const typed = (type: string, fields: { readonly [key: string]: fc.Arbitrary<Json> } = {}) =>
  merged(fc.constant({ type }), fc.record(fields), extra)

const citation = typed('char_location', { cited_text: word, document_index: fc.nat(), document_title: word })
const cache = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  fc.constant({ cache_control: { type: 'ephemeral', ttl: '1h' } }),
)
const textBlock = merged(
  typed('text', { text }),
  cache,
  maybe('citations', fc.array(citation, { maxLength: 2 })),
)
const source = fc.oneof(
  fc.record({ type: fc.constant('base64'), media_type: fc.constantFrom('image/png', 'image/jpeg'), data }),
  fc.record({ type: fc.constant('url'), url: word.map(name => `https://x.example/${name}.png`) }),
  fc.record({ type: fc.constant('file'), file_id: word }),
)
const image = merged(typed('image', { source }), cache)
const document = merged(
  typed('document', {
    source: fc.oneof(
      fc.record({ type: fc.constant('base64'), media_type: fc.constant('application/pdf'), data }),
      fc.record({ type: fc.constant('text'), media_type: fc.constant('text/plain'), data: text }),
      fc.record({ type: fc.constant('content'), content: fc.array(textBlock, { maxLength: 2 }) }),
    ),
  }),
  maybe('title', word),
  maybe('citations', fc.record({ enabled: fc.boolean() })),
)
const found = merged(
  typed('search_result', { source: word, title: word }),
  fc.array(textBlock, { minLength: 1, maxLength: 2 }).map(content => ({ content })),
  maybe('citations', fc.record({ enabled: fc.boolean() })),
  cache,
)
const strange = fc.tuple(word, object).map(([name, value]) => ({ ...value, type: `new_${name}` }))
const thinking = fc.oneof(
  typed('thinking', { thinking: text, signature: word }),
  typed('redacted_thinking', { data: word }),
)
const toolUse = (id: string) =>
  merged(typed('tool_use', { id: fc.constant(id), name: word, input: object }), cache, maybe('caller', json))
const content = fc.oneof(
  text,
  fc.array(fc.oneof(textBlock, image, document, found, strange), { minLength: 1, maxLength: 3 }),
)
const toolResult = (id: string) =>
  merged(
    typed('tool_result', { tool_use_id: fc.constant(id) }),
    fc.oneof(
      fc.constant({}),
      content.map(said => ({ content: said as Json })),
    ),
    maybe('is_error', fc.boolean()),
    cache,
  )
const search = fc.tuple(word, word, word, extra).map(([id, query, url, more]) => [
  { type: 'server_tool_use', id: `srvtoolu_${id}`, name: 'web_search', input: { query } },
  {
    type: 'web_search_tool_result',
    tool_use_id: `srvtoolu_${id}`,
    content: [{ type: 'web_search_result', url, encrypted_content: `e${id}`, ...more }],
  },
])

const userWords = fc.oneof(
  text,
  fc.array(fc.oneof(textBlock, textBlock, image, document, found, strange), { minLength: 1, maxLength: 3 }),
)
const user = merged(
  fc.constant({ role: 'user' }),
  userWords.map(said => ({ content: said as Json })),
  extra,
)

const step = fc
  .tuple(
    fc.array(thinking, { maxLength: 2 }),
    fc.oneof(
      textBlock.map(block => [block]),
      strange.map(block => [block]),
      search as fc.Arbitrary<Json[]>,
    ),
    calls(toolUse),
    extra,
  )
  .chain(([thoughts, words, asked, more]) =>
    fc.tuple(
      fc.constant({
        role: 'assistant',
        content: [...thoughts, ...words, ...asked.map(({ said }) => said)],
        ...more,
      }),
      fc.tuple(...asked.map(({ id }) => toolResult(id))),
      fc.array(textBlock, { maxLength: 1 }),
    ),
  )
  .map(([assistant, results, words]): Json[] =>
    results.length === 0 ? [assistant] : [assistant, { role: 'user', content: [...results, ...words] }],
  )

const plain = text.map((said): Json[] => [{ role: 'assistant', content: said }])

/** A document of Anthropic Messages: valid, or still to be gone on with. */
export const anthropicDocument: fc.Arbitrary<Json> = fc
  .tuple(
    rounds(fc.tuple(user, fc.array(fc.oneof(step, step, plain), { maxLength: 3 }))),
    maybe('system', fc.oneof(text, fc.array(textBlock, { maxLength: 2 })) as fc.Arbitrary<Json>),
    extra,
  )
  .map(([all, system, more]) => ({
    ...more,
    ...system,
    messages: all.flatMap(([first, steps]): Json[] => [first, ...steps.flat()]),
  }))
