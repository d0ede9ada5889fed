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

const inputText = fc.record({ type: fc.constant('input_text'), text })
const image = merged(
  fc.constant({ type: 'input_image' }),
  fc.oneof(
    data.map(said => ({ image_url: `data:image/png;base64,${said}` })),
    word.map(name => ({ image_url: `https://x.example/${name}` })),
    word.map(name => ({ image_url: `http://x.example/${name}` })),
    word.map(file_id => ({ file_id })),
  ),
  maybe('detail', word),
)
const file = merged(
  fc.constant({ type: 'input_file' }),
  fc.oneof(
    fc.record({ file_data: data.map(said => `data:application/pdf;base64,${said}`), filename: word }),
    word.map(file_id => ({ file_id })),
  ),
)
const strangePart = fc.tuple(word, json).map(([name, value]) => ({ type: `new_${name}`, value }))
const user = merged(
  fc.constantFrom<{ readonly [key: string]: Json }>(
    { role: 'user' },
    { type: 'message', role: 'user' },
    { role: 'developer' },
  ),
  fc
    .oneof(
      text,
      fc.array(fc.oneof(inputText, inputText, image, file, strangePart), { minLength: 1, maxLength: 3 }),
    )
    .map(content => ({ content: content as Json })),
  extra,
)
const outputText = merged(
  fc.record({ type: fc.constant('output_text'), text }),
  maybe('annotations', fc.array(json, { maxLength: 2 })),
  maybe('logprobs', fc.constant([])),
)
const refusal = fc.record({ type: fc.constant('refusal'), refusal: text })
const message = merged(
  fc.record({
    type: fc.constant('message'),
    id: word.map(id => `msg_${id}`),
    role: fc.constant('assistant'),
  }),
  fc
    .array(fc.oneof({ weight: 4, arbitrary: outputText }, refusal), { minLength: 1, maxLength: 2 })
    .map(content => ({ content })),
  maybe('status', fc.constant('completed')),
  maybe('phase', word),
)
const reasoning = merged(
  fc.record({ type: fc.constant('reasoning'), id: word.map(id => `rs_${id}`) }),
  fc
    .array(fc.record({ type: fc.constant('summary_text'), text }), { maxLength: 2 })
    .map(summary => ({ summary })),
  maybe('encrypted_content', word),
  extra,
)
const strange = fc
  .tuple(
    fc.constantFrom('web_search_call', 'mcp_list_tools', 'compaction', 'code_interpreter_call', 'new_thing'),
    word,
    json,
  )
  .map(([type, id, value]) => ({ type, id, value }))

const call = (id: string) =>
  fc.oneof(
    merged(
      fc.record({
        type: fc.constant('function_call'),
        call_id: fc.constant(id),
        name: word,
        arguments: argumentText,
      }),
      maybe(
        'id',
        word.map(item => `fc_${item}`),
      ),
      maybe('status', fc.constant('completed')),
      extra,
    ),
    fc.record({ type: fc.constant('custom_tool_call'), call_id: fc.constant(id), name: word, input: text }),
  )
const output = (id: string, type: string) =>
  merged(
    fc.constant({ type, call_id: id }),
    fc
      .oneof(text, fc.array(fc.oneof(inputText, image, file), { minLength: 1, maxLength: 3 }))
      .map(said => ({ output: said as Json })),
    maybe('status', fc.constant('completed')),
  )

const step = fc
  .tuple(fc.array(reasoning, { maxLength: 1 }), fc.oneof(message, strange), calls(call))
  .chain(([thoughts, said, asked]) =>
    fc
      .tuple(...asked.map(one => output(one.id, `${(one.said as { type: string }).type}_output`)))
      .map((outputs): Json[] => [...thoughts, said, ...asked.map(one => one.said as Json), ...outputs]),
  )

/** A document of OpenAI responses: valid, or still to be gone on with. */
export const openaiResponsesDocument: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(rounds(fc.tuple(user, fc.array(step, { maxLength: 2 }))), maybe('instructions', text), extra)
      .map(([all, instructions, more]) => ({
        ...more,
        ...instructions,
        input: all.flatMap(([first, steps]): Json[] => [first, ...steps.flat()]),
      })),
  },
  text.map(input => ({ input })),
)
