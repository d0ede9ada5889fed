import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldMessage } from '../../projections/fold-message.ts'
import { wellFormedStream } from '../../projections/well-formed-stream.arbitrary.ts'
import type { Chunk } from '../../protocol/chunk.ts'
import type { Json } from '../../protocol/json.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import { createShorten, longOutput } from './shorten.ts'

const ours = { dynamic: true, providerExecuted: true } as const
const start: Chunk = { type: 'start', messageId: 'm' }
const finish: Chunk = { type: 'finish' }
const call: Chunk = { type: 'tool-input-available', toolCallId: 'c', toolName: 'Bash', input: {}, ...ours }
const output = (value: Json, more: { preliminary?: boolean } = {}): Chunk => ({
  type: 'tool-output-available',
  toolCallId: 'c',
  output: value,
  ...ours,
  ...more,
})
const failure = (errorText: string): Chunk => ({
  type: 'tool-output-error',
  toolCallId: 'c',
  errorText,
  ...ours,
})
const text = (id: string): readonly Chunk[] => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta: id },
  { type: 'text-end', id },
]

function shortenAll(...chunks: readonly Chunk[]): readonly Chunk[] {
  const shorten = createShorten()
  return chunks.flatMap((chunk, index) => shorten(chunk, index + 1))
}
const lint = (chunks: readonly Chunk[]) => assertWellFormed(chunks.map(chunk => ({ thread: null, chunk })))
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

const long: readonly (readonly [string, Json])[] = [
  ['a text', 'x'.repeat(longOutput)],
  ['a text of pairs', '\u{1f600}'.repeat(longOutput)],
  ['a text that JSON escapes', '\u0000'.repeat(longOutput)],
  ['texts in an object', { stdout: 'x'.repeat(90_000), stderr: 'y'.repeat(90_000), exitCode: 0 }],
  ['a list of numbers', Array.from({ length: 50_000 }, (_, index) => index)],
  [
    'an object of many keys',
    Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 1])),
  ],
  ['a key as long as it all', { ['k'.repeat(100_000)]: 1 }],
  ['lists in lists', Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => 'word'))],
]

describe('createShorten', () => {
  it.each(long)('[P1] shortens %s, and says how long it was and where it is whole', (_, value) => {
    const chunks = shortenAll(start, call, output(value), finish)
    const [, , short, notice] = chunks
    expect(short?.type === 'tool-output-available' && bytesOf(short.output)).toBeLessThanOrEqual(longOutput)
    expect(notice).toEqual({
      type: 'data-shortened',
      id: 'c',
      data: { toolCallId: 'c', bytes: bytesOf(value), seq: 3 },
    })
    lint(chunks)
  })

  it('[P1] shortens an error, and keeps the shape of what it shortens', () => {
    const [, , failed] = shortenAll(start, call, failure('x'.repeat(100_000)))
    expect(failed?.type === 'tool-output-error' && failed.errorText.length).toBeLessThan(longOutput)
    const [, , short] = shortenAll(start, call, output({ stdout: 'x'.repeat(90_000), exitCode: 7 }))
    expect(short).toMatchObject({ output: { exitCode: 7, stdout: expect.stringMatching(/^x+\n… \d+ more/) } })
  })

  it('[P1] marks a call once, and no preliminary output', () => {
    const value = 'x'.repeat(100_000)
    const types = shortenAll(start, call, output(value, { preliminary: true }), output('short'), finish)
    expect(types.map(({ type }) => type)).not.toContain('data-shortened')
    lint(types)
  })

  it('[P1] does not change short outputs and other chunks', () => {
    fc.assert(
      fc.property(wellFormedStream(), chunks => {
        expect(shortenAll(...chunks)).toEqual(chunks)
      }),
    )
  })

  it('[P1] adjusts the positions of parts to what it added', () => {
    const chunks = shortenAll(
      start,
      ...text('a'),
      call,
      output('x'.repeat(100_000)),
      ...text('b'),
      { type: 'data-retracted', data: { ids: ['a', 'b'], indexes: [0, 2] } },
      finish,
      start,
      output('x'.repeat(100_000)),
      ...text('d'),
      { type: 'data-retracted', data: { ids: ['d'], indexes: [4] } },
      finish,
    )
    lint(chunks)
    const { parts } = foldMessage(chunks)
    const places = chunks.flatMap(chunk => (chunk.type === 'data-retracted' ? chunk.data.indexes : []))
    expect(places.map(place => parts[place])).toMatchObject([{ text: 'a' }, { text: 'b' }, { text: 'd' }])
  })
})
