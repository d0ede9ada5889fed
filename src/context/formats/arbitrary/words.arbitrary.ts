import fc from 'fast-check'
import type { Json } from '../../../protocol/json.ts'

/** A word that is unique in a document, so that it can be searched. */
export const word: fc.Arbitrary<string> = fc
  .noBias(fc.noShrink(fc.bigInt({ min: 10n ** 16n, max: 10n ** 20n })))
  .map(number => `w${number.toString(36)}`)

/** Text of any kind, never empty, with a word in it. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: word },
  fc.tuple(word, fc.string({ unit: 'binary', maxLength: 12 })).map(([one, other]) => `${one} ${other}`),
  fc
    .tuple(word, fc.constantFrom('"', '\\', '\n\n', '\u2028', '{"a":1}', '\ud800'))
    .map(pieces => pieces.join(' ')),
)

/** A call id that every provider accepts. */
export const callId: fc.Arbitrary<string> = word.map(id => `call_${id}`)

const number = fc.noBias(fc.noShrink(fc.integer({ min: 10 ** 9, max: 10 ** 15 })))

const key = fc.oneof(
  { weight: 8, arbitrary: word },
  fc.constantFrom('__proto__', 'content', 'output', 'error', 'a/b', '~'),
)

/** Any JSON value, its texts and numbers unique. */
export const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    word,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value

/** A JSON object: the input of a tool. */
export const object: fc.Arbitrary<{ readonly [key: string]: Json }> = fc.dictionary(key, json, {
  maxKeys: 3,
  noNullPrototype: true,
})

/** Fields that no reader knows, for any object. */
export const extra: fc.Arbitrary<{ readonly [key: string]: Json }> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.tuple(word, json).map(([name, value]) => ({ [`x_${name}`]: value })),
)

/** Base64 that is a word. */
export const data: fc.Arbitrary<string> = word.map(unique => `${unique}AA==`)

/** Perhaps a field. */
export const maybe = <Value extends Json>(name: string, value: fc.Arbitrary<Value>) =>
  fc.oneof(
    fc.constant({}),
    value.map(given => ({ [name]: given })),
  )

/** One object of several. */
export const merged = (...pieces: readonly fc.Arbitrary<{ readonly [key: string]: Json }>[]) =>
  fc.tuple(...pieces).map(all => Object.assign({}, ...all) as { readonly [key: string]: Json })

/** Arguments as a model writes them: any spaces, sometimes broken. */
export const argumentText: fc.Arbitrary<string> = fc.oneof(
  object.map(value => JSON.stringify(value)),
  object.map(value => JSON.stringify(value, null, 1)),
  word.map(broken => `{"p": "${broken}`),
  fc.constant(''),
)

/** A step: a text, and calls with unique ids. */
export const calls = <Call>(call: (id: string) => fc.Arbitrary<Call>) =>
  fc
    .uniqueArray(callId, { maxLength: 3 })
    .chain(ids => fc.tuple(...ids.map(id => call(id).map(said => ({ id, said })))))

/** The parts of a document, sometimes none. */
export const rounds = <Round>(round: fc.Arbitrary<Round>): fc.Arbitrary<readonly Round[]> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.array(round, { minLength: 1, maxLength: 3 }) },
    fc.constant<Round[]>([]),
  )
