import { expect, it } from 'vitest'
import type { Chunk } from '../../protocol/chunk.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import type { RawMessage } from '../agent.ts'
import { textIn } from './harness.fixture.ts'
import { initial, translate } from './translate.ts'

const line = (text: string, more: Partial<RawMessage> = {}): RawMessage => ({ from: 'agent', text, ...more })
const loop = (fields: Readonly<Record<string, unknown>>) => line(JSON.stringify(fields))
const event = (fields: Readonly<Record<string, unknown>>) => line(`data: ${JSON.stringify(fields)}`)

const textEvent = (text: string) => event({ candidates: [{ content: { parts: [{ text }] } }] })
const begin = [
  loop({ dragoman: 'begin', prompt: 'p' }),
  loop({ dragoman: 'response', request: 'r', thread: null, api: 'gemini' }),
]
const done = loop({ dragoman: 'done', reason: 'finished', finishReason: 'stop', duration: 5 })

function chunksOf(...lines: readonly RawMessage[]): readonly Chunk[] {
  let state = initial('c' as ConnectionId)
  const chunks = lines.flatMap(raw => {
    const [next, made] = translate(state, raw)
    state = next
    return made
  })
  assertWellFormed(chunks)
  return chunks.map(({ chunk }) => chunk)
}

const typesOf = (chunks: readonly Chunk[]) => chunks.map(({ type }) => type)

it('[A3] a line of a newer version is kept as an unknown part, and the answer around it continues', () => {
  const newer = loop({ dragoman: 'dreamt', of: 'sheep' })
  const chunks = chunksOf(...begin, textEvent('Hello '), newer, textEvent('you.'), done)
  expect(textIn(chunks)).toBe('Hello you.')
  expect(chunks.find(({ type }) => type === 'data-unknown')).toMatchObject({
    data: { agent: 'model', kind: '"dreamt"', native: { dragoman: 'dreamt', of: 'sheep' } },
  })
  expect(typesOf(chunks).filter(type => type === 'finish')).toHaveLength(1)
})

it('[A3] between answers, an unknown or broken line of the loop is a separate finished message', () => {
  for (const [odd, type] of [
    [loop({ dragoman: 'dreamt' }), 'data-unknown'],
    [line('{"dragoman":'), 'data-notice'],
  ] as const) {
    const shown = typesOf(chunksOf(odd))
    expect(shown[0]).toBe('start')
    expect(shown).toContain(type)
    expect(shown.at(-1)).toBe('finish')
  }
})

it('[A18] a model event too long to read is reported, and the answer around it continues', () => {
  const long = line('data: {"candidates":[{"content":', { cut: true })
  const chunks = chunksOf(...begin, textEvent('Hello '), long, textEvent('you.'), done)
  expect(textIn(chunks)).toBe('Hello you.')
  expect(chunks.find(({ type }) => type === 'data-notice')).toMatchObject({
    data: { level: 'warning', code: 'line-too-long' },
  })
})

it('[A9] lines that we sent to the model add nothing to its answer', () => {
  expect(chunksOf({ from: 'host', text: '{"dragoman":"begin","prompt":"p"}' })).toEqual([])
})
