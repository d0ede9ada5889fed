import fc from 'fast-check'
import type { Json } from '../../../protocol/json.ts'
import {
  argumentText,
  calls,
  data,
  extra,
  json,
  maybe,
  merged,
  rounds,
  text,
  word,
} from './words.arbitrary.ts'

const textPart = text.map(said => ({ type: 'text', text: said }))
const image = fc
  .tuple(
    fc.oneof(
      data.map(said => `data:image/png;base64,${said}`),
      word.map(name => `https://x.example/${name}`),
      word.map(name => `http://x.example/${name}`),
    ),
    word,
  )
  .map(([url, detail]) => ({ type: 'image_url', image_url: { url, detail } }))
const audio = fc.record({
  type: fc.constant('input_audio'),
  input_audio: fc.record({ data, format: fc.constantFrom('wav', 'mp3') }),
})
const file = fc.record({
  type: fc.constant('file'),
  file: fc.oneof(
    fc.record({ file_data: data.map(said => `data:application/pdf;base64,${said}`), filename: word }),
    fc.record({ file_id: word }),
  ),
})
const strange = fc.tuple(word, json).map(([name, value]) => ({ type: `new_${name}`, value }))
const words = fc.oneof(
  text,
  fc.array(fc.oneof(textPart, image, audio, file, strange), { minLength: 1, maxLength: 3 }),
)
const said = (role: string, content: fc.Arbitrary<unknown>) =>
  merged(
    fc.constant({ role }),
    content.map(value => ({ content: value as Json })),
    maybe('name', word),
    extra,
  )

const call = (id: string) =>
  fc.oneof(
    fc.tuple(word, argumentText, extra).map(([name, given, more]) => ({
      id,
      type: 'function',
      function: { name, arguments: given },
      ...more,
    })),
    fc.tuple(word, text).map(([name, input]) => ({ id, type: 'custom', custom: { name, input } })),
  )
const result = (id: string) =>
  merged(
    fc.constant({ role: 'tool', tool_call_id: id }),
    fc
      .oneof(text, fc.constant(''), fc.array(textPart, { minLength: 1, maxLength: 3 }))
      .map(content => ({ content: content as Json })),
    extra,
  )

const assistant = merged(
  fc.constant({ role: 'assistant' }),
  fc
    .oneof(text, fc.array(textPart, { minLength: 1, maxLength: 2 }))
    .map(content => ({ content: content as Json })),
  maybe('refusal', fc.constantFrom(null)),
  maybe('reasoning_content', text),
  maybe('annotations', fc.array(json, { maxLength: 1 })),
  extra,
)
const refusal = text.map(refused => ({ role: 'assistant', content: null, refusal: refused }))

const step = fc
  .tuple(fc.oneof(assistant, merged(fc.constant({ role: 'assistant', content: null }), extra)), calls(call))
  .chain(([message, asked]) =>
    fc.tuple(
      fc.constant(message),
      fc.constant(asked.map(one => one.said)),
      fc.tuple(...asked.map(({ id }) => result(id))),
    ),
  )
  .map(([message, asked, results]): Json[] => {
    if (asked.length > 0) return [{ ...message, tool_calls: asked }, ...results]
    return message['content'] === null ? [] : [message]
  })

/** A call as OpenAI first had it: answered, left open, or a result that answers nothing. */
const oldStep = fc
  .tuple(
    word,
    argumentText,
    merged(
      fc.oneof(text, fc.constant(null)).map(content => ({ content })),
      maybe('tool_calls', fc.constant(null)),
      extra,
    ),
    fc.oneof(text, fc.constant(''), fc.constant(null)),
    extra,
    fc.constantFrom('pair', 'pair', 'pair', 'open', 'orphan'),
  )
  .map(([name, given, around, content, more, kind]): Json[] => {
    const asked = { role: 'assistant', ...around, function_call: { name, arguments: given } }
    const answer = { role: 'function', name, content, ...more }
    return kind === 'pair' ? [asked, answer] : [kind === 'open' ? asked : answer]
  })

const round = fc.tuple(
  fc.oneof({ weight: 4, arbitrary: said('user', words) }, said('system', text), said('developer', text)),
  fc.array(
    fc.oneof(
      { weight: 5, arbitrary: step },
      { weight: 2, arbitrary: oldStep },
      refusal.map((one): Json[] => [one]),
    ),
    { maxLength: 3 },
  ),
)

/** A document of OpenAI chat: valid, or still to be gone on with. */
export const openaiChatDocument: fc.Arbitrary<Json> = fc
  .tuple(
    fc.array(said('system', fc.oneof(text, fc.array(textPart, { minLength: 1, maxLength: 2 }))), {
      maxLength: 1,
    }),
    rounds(round),
    extra,
  )
  .map(([system, all, more]) => ({
    messages: [...system, ...all.flatMap(([first, steps]): Json[] => [first, ...steps.flat()])],
    ...more,
  }))
