import fc from 'fast-check'
import type { Json } from '../../../protocol/json.ts'
import { calls, data, extra, json, maybe, merged, object, rounds, text, word } from './words.arbitrary.ts'

const metadata = maybe(
  'providerMetadata',
  fc.oneof(
    word.map(signature => ({ anthropic: { signature } })),
    word.map(thoughtSignature => ({ google: { thoughtSignature } })),
    fc
      .tuple(word, word)
      .map(([itemId, reasoningEncryptedContent]) => ({ openai: { itemId, reasoningEncryptedContent } })),
    fc.tuple(word, json).map(([name, value]) => ({ [name]: { value } })),
  ) as fc.Arbitrary<Json>,
)
const textPart = merged(
  text.map(said => ({ type: 'text', text: said })),
  maybe('state', fc.constant('done')),
  metadata,
)
const reasoning = merged(
  text.map(said => ({ type: 'reasoning', text: said })),
  metadata,
)
const file = merged(
  fc.constant({ type: 'file' }),
  fc.oneof(
    data.map(said => ({ mediaType: 'image/png', url: `data:image/png;base64,${said}` })),
    word.map(name => ({ mediaType: 'application/pdf', url: `https://x.example/${name}` })),
    word.map(name => ({ mediaType: 'image/png', url: `http://x.example/${name}` })),
  ),
  maybe('filename', word),
)
const strange = fc.oneof(
  fc
    .tuple(word, word)
    .map(([sourceId, name]) => ({ type: 'source-url', sourceId, url: `https://x.example/${name}` })),
  fc.tuple(word, json).map(([name, value]) => ({ type: `data-${name}`, data: value })),
  fc.constant({ type: 'step-start' }),
)
const outcome = fc.oneof(
  json.map(output => ({ state: 'output-available', output })),
  text.map(output => ({ state: 'output-available', output })),
  text.map(errorText => ({ state: 'output-error', errorText })),
  fc.constant({ state: 'input-available' }),
  word.map(id => ({ state: 'approval-requested', approval: { id } })),
  fc
    .tuple(word, text)
    .map(([id, reason]) => ({ state: 'output-denied', approval: { id, approved: false, reason } })),
  fc.constant({ state: 'input-streaming' }),
) as fc.Arbitrary<{ readonly [key: string]: Json }>
const tool = (id: string) =>
  merged(
    fc.oneof(
      word.map(name => ({ type: `tool-${name}` })),
      word.map(name => ({ type: `tool-ns.${name}:do it` })),
      word.map(name => ({ type: 'dynamic-tool', toolName: name })),
    ),
    fc.constant({ toolCallId: id }),
    fc.oneof(object, json).map(input => ({ input })),
    outcome,
    maybe('providerExecuted', fc.boolean()),
    maybe(
      'callProviderMetadata',
      word.map(thoughtSignature => ({ google: { thoughtSignature } })),
    ),
    extra,
  )

const shell = (role: string) =>
  merged(
    fc.tuple(word).map(([id]) => ({ id, role })),
    maybe('metadata', object),
    extra,
  )
const message = (role: string, parts: fc.Arbitrary<readonly Json[]>) =>
  fc.tuple(shell(role), parts).map(([around, said]): Json => ({ ...around, parts: said }))

const assistant = message(
  'assistant',
  fc
    .array(
      fc.oneof(
        fc.oneof(textPart, reasoning, file, strange).map((part): Json[] => [part]),
        calls(tool).map(all => all.map(({ said }): Json => said)),
      ),
      { maxLength: 4 },
    )
    .map(pieces => pieces.flat()),
)

/** UI messages of the AI SDK: valid, or still to be gone on with. */
export const uiMessagesDocument: fc.Arbitrary<Json> = fc
  .tuple(
    fc.array(message('system', fc.array(textPart, { minLength: 1, maxLength: 1 })), { maxLength: 1 }),
    rounds(
      fc.tuple(
        message(
          'user',
          fc.array(fc.oneof(textPart, textPart, file, strange), { minLength: 1, maxLength: 3 }),
        ),
        fc.array(assistant, { maxLength: 2 }),
      ),
    ),
  )
  .map(([system, all]) => [...system, ...all.flatMap(([first, answers]): Json[] => [first, ...answers])])
