import { describe, expect, it } from 'vitest'
import type { Chunk } from '../../../protocol/chunk.ts'
import { assertWellFormed } from '../../../protocol/well-formed.ts'
import { build, initialParts, type Op } from '../parts.ts'

const finish: Op = { type: 'finish', reason: 'finished' }

/** The chunks of an answer, which must be finished at the end. */
function main(ops: readonly Op[]): readonly Chunk[] {
  const [, chunks] = build(initialParts('test', 'c'), ops)
  assertWellFormed(chunks)
  return chunks.map(({ chunk }) => chunk)
}

const types = (chunks: readonly Chunk[]) => chunks.map(({ type }) => type)
const textOf = (chunks: readonly Chunk[]) =>
  chunks.map(chunk => (chunk.type === 'text-delta' ? chunk.delta : '')).join('|')

describe('text and thinking', () => {
  it('[P5] a final text that repeats the streamed text adds nothing, also after the end and after the finish', () => {
    const streaming: readonly Op[] = [
      { type: 'thinking', key: 'b', delta: 'Hm' },
      { type: 'text', key: 'a', delta: 'Hello ' },
      { type: 'text', key: 'a', delta: 'you' },
    ]
    const final: Op = { type: 'final', kind: 'text', key: 'a', text: 'Hello you' }
    const streamed = main([...streaming, { type: 'end', key: 'a' }, finish])
    expect(textOf(main([...streaming, final, finish]))).toBe(textOf(streamed))
    expect(main([...streaming, { type: 'end', key: 'a' }, final, finish])).toEqual(streamed)
    expect(main([...streaming, { type: 'end', key: 'a' }, finish, final])).toEqual(streamed)
  })

  it('[P5] a final message without the thinking keeps the streamed thinking', () => {
    const chunks = main([
      { type: 'thinking', key: 'a', delta: 'Hm' },
      { type: 'final', kind: 'text', key: 'b', text: 'Yes' },
      finish,
    ])
    expect(chunks).toContainEqual({ type: 'reasoning-delta', id: 'p1', delta: 'Hm' })
    expect(types(chunks)).not.toContain('data-retracted')
  })

  it('[P5] a longer final text adds the rest, and a different one retracts the streamed text', () => {
    const more = main([
      { type: 'text', key: 'a', delta: 'Hel' },
      { type: 'final', kind: 'text', key: 'a', text: 'Hello' },
      { type: 'final', kind: 'text', key: 'a', text: 'Hello you' },
      { type: 'final', kind: 'text', key: 'a', text: 'Hello you' },
      finish,
    ])
    expect(textOf(more).replaceAll('|', '')).toBe('Hello you')
    const other = main([
      { type: 'text', key: 'a', delta: 'Good bye' },
      { type: 'final', kind: 'text', key: 'a', text: 'Hello' },
      finish,
    ])
    expect(other).toContainEqual({ type: 'data-retracted', data: { ids: ['p1'], indexes: [1] } })
    expect(other).toContainEqual({ type: 'text-delta', id: 'p3', delta: 'Hello' })
  })

  it('[P5] the text of a piece so far adds only what is new, and retracts only a different text', () => {
    const soFar = (text: string): Op => ({ type: 'so-far', kind: 'text', key: 'a', text })
    expect(textOf(main([soFar('Hel'), soFar('Hello'), soFar('Hel'), finish])).replace(/^\|+|\|+$/g, '')).toBe(
      'Hel|lo',
    )
    const closed = main([soFar('Hel'), { type: 'step-end' }, soFar('Hello'), soFar('Hello you'), finish])
    expect(textOf(closed).replaceAll('|', '')).toBe('Hello you')
    const late = main([soFar('Hel'), finish, soFar('Hello')])
    expect(textOf(late).replaceAll('|', '')).toBe('Hello')
    expect(types(main([soFar('Bye'), soFar('Hello'), soFar('Hello you'), finish]))).toContain(
      'data-retracted',
    )
  })
})
