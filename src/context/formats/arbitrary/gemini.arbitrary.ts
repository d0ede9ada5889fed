import fc from 'fast-check'
import { isObject, type Json } from '../../../protocol/json.ts'
import { isList } from '../look.ts'
import { data, extra, json, maybe, merged, object, rounds, text, word } from './words.arbitrary.ts'

const signature = maybe('thoughtSignature', word)
const textPart = merged(
  text.map(said => ({ text: said })),
  extra,
)
const inline = fc.record({
  inlineData: fc.record({ mimeType: fc.constantFrom('image/png', 'audio/wav', 'application/pdf'), data }),
})
const linked = fc.record({
  fileData: fc.record({
    mimeType: fc.constant('application/pdf'),
    fileUri: word.map(name => `https://x.example/${name}`),
  }),
})
const strange = fc.oneof(
  fc.record({ executableCode: fc.record({ language: fc.constant('PYTHON'), code: text }) }),
  fc.record({ codeExecutionResult: fc.record({ outcome: fc.constant('OUTCOME_OK'), output: text }) }),
  fc.tuple(word, json).map(([name, value]) => ({ [`new${name}`]: value })),
)
const user = merged(
  fc.constantFrom<{ readonly [key: string]: Json }>({ role: 'user' }, {}),
  fc
    .array(fc.oneof(textPart, textPart, inline, linked, strange), { minLength: 1, maxLength: 3 })
    .map(parts => ({ parts })),
  extra,
)
const spoken = fc.oneof(
  merged(
    text.map(said => ({ text: said })),
    signature,
  ),
  merged(
    text.map(said => ({ text: said, thought: true })),
    signature,
  ),
  strange,
  inline,
)

/** Gemini accepts more characters in a name than others. */
const toolName = fc.oneof(
  { weight: 4, arbitrary: word },
  word.map(name => `ns.${name}:do it`),
  word.map(name => name.padEnd(128, name)),
)

interface Asked {
  readonly id: string | undefined
  readonly name: string
  readonly json: { readonly [key: string]: Json }
}
const call: fc.Arbitrary<Asked> = fc
  .tuple(fc.option(word, { nil: undefined }), toolName, object, fc.boolean(), word)
  .map(([id, name, args, isSigned, seal]) => ({
    id,
    name,
    json: {
      functionCall: { ...(id !== undefined && { id }), name, ...(isSigned && { args }) },
      thoughtSignature: seal,
    },
  }))
const response = ({ id, name }: Asked) =>
  fc
    .tuple(
      fc.oneof(
        object,
        text.map(output => ({ output })),
        text.map(error => ({ error })),
      ),
      fc.array(inline, { maxLength: 1 }),
    )
    .map(([said, parts]): Json => ({
      functionResponse: {
        ...(id !== undefined && { id }),
        name,
        response: said as Json,
        ...(parts.length > 0 && { parts }),
      },
    }))

const calling = fc
  .tuple(fc.array(spoken, { maxLength: 2 }), fc.array(call, { minLength: 1, maxLength: 3 }), extra)
  .chain(([words, asked, more]) =>
    fc.tuple(...asked.map(response)).map((answers): Json[] => [
      { role: 'model', parts: [...words, ...asked.map(one => one.json)], ...more },
      { role: 'user', parts: answers },
    ]),
  )
const last = fc
  .array(spoken, { minLength: 1, maxLength: 3 })
  .map((parts): Json[] => [{ role: 'model', parts }])

const snakes: Readonly<Record<string, string>> = {
  inlineData: 'inline_data',
  fileData: 'file_data',
  mimeType: 'mime_type',
  fileUri: 'file_uri',
  functionCall: 'function_call',
  functionResponse: 'function_response',
  thoughtSignature: 'thought_signature',
}

/** The same in Google's other spelling, except inputs and results of tools. */
function snaked(piece: Json): Json {
  if (isList(piece)) return piece.map(snaked)
  if (!isObject(piece)) return piece
  return Object.fromEntries(
    Object.entries(piece).map(([name, value]) => [
      snakes[name] ?? name,
      name === 'args' || name === 'response' ? value : snaked(value),
    ]),
  )
}

/** A document of Gemini: valid, or still to be gone on with. */
export const geminiDocument: fc.Arbitrary<Json> = fc
  .tuple(
    rounds(fc.tuple(user, fc.array(calling, { maxLength: 3 }), last)),
    maybe(
      'systemInstruction',
      merged(
        fc.array(textPart, { minLength: 1, maxLength: 2 }).map(parts => ({ parts })),
        maybe('role', fc.constant('system')),
      ),
    ),
    extra,
  )
  .map(([all, system, more]) => ({
    ...system,
    contents: all.flatMap(([first, steps, end]): Json[] => [first, ...steps.flat(), ...end]),
    ...more,
  }))
  .chain(document => fc.constantFrom<Json>(document, document, snaked(document)))
