import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headOf, leftWords, tailOf } from './shown-part.ts'

const room = { lines: 3, characters: 40 }

describe('a part of a long text', () => {
  it('[W2] is its start or its end, in whole lines where they fit', () => {
    expect(headOf('a\nb\nc\nd\ne\n', room)).toEqual({ text: 'a\nb\nc\n', left: { lines: 2, characters: 4 } })
    expect(tailOf('a\nb\nc\nd\ne\n', { lines: 2, characters: 40 }).text).toMatch(/d\ne\n$/)
    expect(headOf('a\nb', room)).toEqual({ text: 'a\nb', left: { lines: 0, characters: 0 } })
    expect(leftWords({ lines: 1200, characters: 9000 })).toBe('1,200 more lines')
    expect(leftWords({ lines: 1, characters: 9000 })).toBe('9,000 more characters')
  })

  it('[W2] drops nothing, never exceeds its limit, and never splits a character', () => {
    const text = fc
      .array(fc.constantFrom('a', '\n', 'word ', '\u{1F600}', '\u00e9'), { maxLength: 200 })
      .map(all => all.join(''))
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 2, max: 60 }),
        (whole, lines, characters) => {
          const head = headOf(whole, { lines, characters })
          const tail = tailOf(whole, { lines, characters })
          expect(whole.startsWith(head.text)).toBe(true)
          expect(whole.endsWith(tail.text)).toBe(true)
          for (const part of [head, tail]) {
            expect(part.text.length + part.left.characters).toBe(whole.length)
            expect(part.text.length).toBeLessThanOrEqual(characters)
            expect(part.text.isWellFormed()).toBe(true)
          }
          expect(head.text.length > 0 || whole === '').toBe(true)
        },
      ),
    )
  })
})
