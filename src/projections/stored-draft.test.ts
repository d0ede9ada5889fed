import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Chunk } from '../protocol/chunk.ts'
import { foldMessage, createStoredDraft } from './fold-message.ts'
import { foldThreads } from './fold-threads.ts'
import { call, finish, output, start, text } from './journal.fixture.ts'
import { createRepeatFilter } from './repeat-filter.ts'
import { wellFormedStream } from './well-formed-stream.arbitrary.ts'

const kept = (chunks: readonly Chunk[]) => {
  const draft = createStoredDraft(createRepeatFilter)
  for (const chunk of chunks) draft.push(chunk)
  return draft.finish()
}

/** Takes some of the parts of a message back. */
function retract(
  chunks: readonly Chunk[],
  which: readonly boolean[],
): Extract<Chunk, { type: 'data-retracted' }> {
  const { message, partIds } = kept(chunks)
  const indexes = message.parts.flatMap(({ type }, index) =>
    ['text', 'reasoning', 'dynamic-tool'].includes(type) && which[index % which.length] ? [index] : [],
  )
  return { type: 'data-retracted', data: { ids: indexes.map(index => partIds[index] ?? ''), indexes } }
}

describe('createStoredDraft', () => {
  it('[P6] differs from what a client assembles only by the retracted parts', () => {
    fc.assert(
      fc.property(wellFormedStream('m'), fc.array(fc.boolean(), { minLength: 1 }), (chunks, which) => {
        const retracted = retract(chunks, which)
        const whole = [...chunks, start('m'), retracted, finish]
        const stays = (_: unknown, index: number) => !retracted.data.indexes.includes(index)
        expect(kept(whole).message.parts).toEqual(foldMessage(whole).parts.filter(stays))
      }),
      { numRuns: 200 },
    )
  })

  it('reports whether a chunk adds something', () => {
    const draft = createStoredDraft(createRepeatFilter)
    for (const chunk of [start('m'), ...text('t', 'Hi'), finish]) expect(draft.push(chunk)).toBe(true)
    expect([start('m'), ...text('t', 'Hi')].map(chunk => draft.push(chunk))).toEqual([
      true,
      false,
      false,
      false,
    ])
  })
})

describe('foldThreads', () => {
  it('[P4] gives the messages of every thread', () => {
    const said = (thread: string | null, ...chunks: readonly Chunk[]) =>
      chunks.map(chunk => ({ thread, chunk }))
    const messages = foldThreads([
      ...said(null, start('m'), call('c', 'Task')),
      ...said('c', start('n'), ...text('t', 'Deep'), finish),
      ...said(null, output('c'), finish),
    ])
    expect(messages).toMatchObject([
      { thread: null, message: { id: 'm', parts: [{ output: 'out' }] } },
      { thread: 'c', message: { id: 'n', parts: [{ text: 'Deep' }] } },
    ])
  })
})
