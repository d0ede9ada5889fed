import { describe, expect, it } from 'vitest'
import { kindsBy, nothingShown, oneKind, shape, showStrange, strangeIn } from './known-fields.ts'

const parts = kindsBy('part', 'type', { text: shape('type text') })
const lines = kindsBy('', 'type', {
  said: shape('type parts by', { parts, by: oneKind('speaker', shape('name')) }),
})

describe('unknown fields', () => {
  it('[A3] are found in a message and in its nested objects, with the kind of their object', () => {
    const message = {
      type: 'said',
      mood: 'calm',
      parts: [{ type: 'text', text: '', colour: 'red' }, { type: 'smell', smell: 1 }, 7, null],
      by: { name: 'x', age: 3 },
    }
    expect(strangeIn(lines, message)).toEqual([
      { name: 'said.mood', value: 'calm' },
      { name: 'part text.colour', value: 'red' },
      { name: 'speaker.age', value: 3 },
    ])
    // A message of an unknown kind is shown completely elsewhere.
    expect(strangeIn(lines, { type: 'new', mood: 1 })).toEqual([])
    expect(strangeIn(lines, { type: 'said', parts: 'x', by: [] })).toEqual([])
  })

  it('[A3] [R4] are shown once, a long one by its beginning, and above a limit only their number', () => {
    const found = (name: string) => [{ name, value: 'x'.repeat(10_000) }]
    const first = showStrange('a', nothingShown, found('f'))
    expect(first.ops).toMatchObject([{ chunk: { type: 'data-unknown', data: { kind: 'field f' } } }])
    expect(JSON.stringify(first.ops).length).toBeLessThan(5000)
    expect(showStrange('a', first.shown, found('f'))).toEqual({ ops: [], shown: first.shown })
    let { shown } = first
    const notices: unknown[] = []
    for (let count = 0; count < 1000; count += 1) {
      const next = showStrange('a', shown, found(`f${count}`))
      shown = next.shown
      notices.push(
        ...next.ops.flatMap(op => (op.type === 'show' && op.chunk.type === 'data-notice' ? [op] : [])),
      )
    }
    expect(shown.names.size).toBe(64)
    expect(notices).toHaveLength(10)
    expect(notices.at(-1)).toMatchObject({ chunk: { data: { message: expect.stringContaining('512') } } })
    expect(shown.beyond).toBe(1000 - 63)
  })
})
