import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { between, holds, trimEndOf } from './linear-text.ts'

describe('text that is scanned once', () => {
  it('[S28] removes all copies of one character at its end', () => {
    expect(trimEndOf('http://a/b///', '/')).toBe('http://a/b')
    expect(trimEndOf('\n\na\n', '\n')).toBe('\n\na')
    expect(trimEndOf('///', '/')).toBe('')
    expect(trimEndOf('', '/')).toBe('')
  })

  it('[S28] returns the text between the first marks', () => {
    expect(between('x<a>1</a><a>2</a>', '<a>', '</a>')).toBe('1')
    expect(between('</a><a></a>', '<a>', '</a>')).toBe('')
    expect(between('<a>1', '<a>', '</a>')).toBeUndefined()
    expect(between('1</a>', '<a>', '</a>')).toBeUndefined()
  })

  it('[S28] finds a part of any length', () => {
    const words = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 200 })
    const piece = fc.tuple(words, fc.nat(80), fc.integer({ min: 30, max: 120 }))
    fc.assert(
      fc.property(piece, words, ([text, from, length], other) => {
        for (const part of [text.slice(from, from + length), other, `${text}a`, text.slice(0, -1)])
          expect(holds(text, part)).toBe(text.includes(part))
      }),
    )
  })
})
