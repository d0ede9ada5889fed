import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEventCutter, readServerEvent } from './server-sent-events.ts'

/** The events in a stream that arrives in pieces of the given sizes, and then the rest of it. */
function cut(stream: string, sizes: readonly number[]): readonly string[] {
  const cutter = createEventCutter()
  let left = stream
  const events = sizes.flatMap(size => {
    const piece = left.slice(0, size)
    left = left.slice(size)
    return cutter.add(piece)
  })
  return [...events, ...cutter.add(left), cutter.rest()]
    .map(event => event.replaceAll(/^[\r\n]+|[\r\n]+$/g, ''))
    .filter(event => event !== '')
}

const lineEnd = fc.constantFrom('\n', '\r\n', '\r')
const sizes = fc.array(fc.nat({ max: 7 }), { maxLength: 40 })

describe('createEventCutter', () => {
  it('[R2] finds the same events for any split of the stream and any line ending', () => {
    const line = fc.constantFrom(
      'data: {"a":1}',
      'event: x',
      ': ping',
      'data: ü\u2028',
      'data: [DONE]',
      'id:7',
    )
    const event = fc.array(line, { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(fc.array(event), lineEnd, sizes, (events, end, cuts) => {
        const texts = events.map(lines => lines.join(end))
        expect(cut(texts.map(text => text + end + end).join(''), cuts)).toEqual(texts)
      }),
    )
  })

  it('[R2] finds the same events with different line ends in one stream', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(lineEnd, lineEnd)), sizes, (ends, cuts) => {
        // `\r` and `\n` side by side are one line end.
        const breaks = ends.filter(([one, two]) => !(one === '\r' && two === '\n'))
        const stream = breaks.map(([one, two], at) => `data: ${at}${one}${two}`).join('')
        expect(cut(stream, cuts)).toEqual(breaks.map((_, at) => `data: ${at}`))
      }),
    )
  })

  it('[R2] keeps the beginning of an event that has not ended', () => {
    const cutter = createEventCutter()
    expect(cutter.add('data: 1\n\ndata: 2\n')).toEqual(['data: 1'])
    expect(cutter.rest()).toBe('data: 2\n')
    expect(cutter.rest()).toBe('')
  })
})

describe('readServerEvent', () => {
  it('[R2] reads the fields; a comment is a field without a name', () => {
    expect(readServerEvent('id: 7\nevent: stdout\ndata: {"a": 1}')).toEqual({
      id: '7',
      event: 'stdout',
      data: '{"a": 1}',
    })
    expect(readServerEvent(': alive')).toEqual({ '': 'alive' })
    expect(readServerEvent('data')).toEqual({ data: '' })
    expect(readServerEvent('data:  x')).toEqual({ data: ' x' })
  })

  it('[R2] joins the lines of data, and keeps separators that only look like line ends', () => {
    expect(readServerEvent('data: a\r\ndata: b\rdata:\ndata: c\u2028d')).toEqual({ data: 'a\nb\n\nc\u2028d' })
  })
})
