import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Chunk } from '../protocol/chunk.ts'
import { failure, finish, call, output, start, text } from './journal.fixture.ts'
import { createRepeatFilter } from './repeat-filter.ts'
import { createStoredDraft } from './fold-message.ts'
import { wellFormedStream } from './well-formed-stream.arbitrary.ts'

function kept(...chunks: readonly Chunk[]) {
  const draft = createStoredDraft(createRepeatFilter)
  for (const chunk of chunks) draft.push(chunk)
  return draft.finish()
}

/** A whole message in one telling. */
const inOneGo = (chunks: readonly Chunk[]): readonly Chunk[] => [
  start('m'),
  ...chunks.filter(({ type }) => !['start', 'finish', 'error', 'abort'].includes(type)),
  finish,
]

const hasIds = (chunks: readonly Chunk[]) => chunks.some(({ type }) => /^(text|reasoning|tool)-/.test(type))

describe('createRepeatFilter', () => {
  it('[J5] adds nothing when a message is repeated', () => {
    fc.assert(
      fc.property(wellFormedStream('m').filter(hasIds), chunks => {
        const once = kept(...chunks)
        const twice = kept(...chunks, ...inOneGo(chunks))
        expect({ ...twice, message: { ...twice.message, metadata: null } }).toEqual({
          ...once,
          message: { ...once.message, metadata: null },
        })
      }),
      { numRuns: 200 },
    )
  })

  it('[J5] adds the parts that only the repetition has', () => {
    const first = [start('m'), ...text('t1', 'Hello'), call('c'), failure('c', 'interrupted'), finish]
    const second = [start('m'), ...text('t1', 'Hello'), call('c'), output('c'), ...text('t2', 'Bye'), finish]
    expect(kept(...first, ...second).message).toEqual(kept(...second).message)
  })

  it('[P5] completes text that was cut off, and keeps both versions of text that differs', () => {
    const words = (...chunks: readonly Chunk[]) =>
      kept(...chunks).message.parts.map(part => (part.type === 'text' ? part.text : ''))
    const told = (said: string) => [start('m'), ...text('t', said), finish]
    expect(words(...told('Hel'), ...told('Hello'))).toEqual(['Hello'])
    expect(words(...told('Hello'), ...told('Goodbye'))).toEqual(['Hello', 'Goodbye'])
  })
})
