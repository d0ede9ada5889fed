import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../protocol/property-runs.fixture.ts'
import { parseQuery } from '../query/parse-query.ts'
import { formOf, indexText } from '../text/words.ts'
import { findWord } from './find-word.ts'
import { createMatcher } from './match-text.ts'
import { foldCase } from '../text/fold-case.ts'

/** The pieces of a text that a query finds; null if it does not match. */
function found(query: string, text: string): readonly string[] | null {
  const hit = createMatcher(parseQuery(query)).match(text)
  return hit && hit.ranges.map(([from, to]) => hit.snippet.slice(from, to))
}

describe('comparing a text with a query', () => {
  it.each([
    ['user', 'getUserById and users', ['User', 'user']],
    ['user x', 'users x', null],
    ['check', 'Checkpoints', ['Check']],
    ['point', 'checkpoint', null],
    ['"POINT"', 'checkpoint', ['point']],
    ['naive', 'so naïve!', ['naïve']],
    ['検索', '日本語の検索テスト', ['検索']],
    ['src/Main.ts', 'see SRC/main.ts:12', ['SRC/main.ts']],
    [String.raw`/^b\w+$/`, 'a\nbcd\ne', ['bcd']],
    ['/B/', 'abc', null],
    ['/B/i', 'abc', ['b']],
    ['/x*/', 'abc', []],
    ['a', 'aaa é aa', ['a', 'a']],
    ['red', 'a \u001b[31mred\u001b[0m word', ['red']],
    ['naive', '\u001b[1;31mnaïve\u001b[0m', ['naïve']],
    ['m', '\u001b[31mred\u001b[0m', null],
    ['"[31mred"', '\u001b[31mred\u001b[0m', ['[31mred']],
    ['"\0"', 'a b', null],
    ['"\0"', 'a\0b', ['\0']],
    ['one two', 'two and one and two', ['two', 'one', 'two']],
  ])('[J15] %s in %s', (query, text, pieces) => {
    expect(found(query, text)).toEqual(pieces)
  })

  it('[J15] a snippet is one line around the first match', () => {
    const text = `${'before '.repeat(100)}\nthe needle\there ${'after '.repeat(100)}`
    const hit = createMatcher(parseQuery('needle')).match(text)
    expect(hit?.snippet).toMatch(/^…before [^\n\t]* the needle here [^\n\t]*…$/)
    expect(hit?.snippet.length).toBeLessThan(260)
    expect(hit?.ranges.map(([from, to]) => hit.snippet.slice(from, to))).toEqual(['needle'])
  })

  it('[J15] a text in quotes asks the index only for words and signs of the texts that have it', () => {
    const unit = fc.constantFrom(
      'a',
      'B',
      'é',
      'e\u0301',
      'я',
      'ו',
      'σ',
      '日',
      'が',
      '한',
      'ภ',
      '🐙',
      '❤',
      '\ufe0f',
      '\u001b[31m',
      ' ',
      '.',
    )
    const text = fc.array(unit, { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(text, fc.nat(12), fc.nat(12), (units, from, length) => {
        const wanted = units.slice(from, from + length + 1).join('')
        fc.pre(wanted.trim() !== '')
        const whole = units.join('')
        const indexed = new Set(indexText(whole).split(' '))
        for (const term of parseQuery(`"${wanted}"`).terms) {
          if (term.type !== 'exact') throw new Error('It is not an exact text.')
          for (const { word } of term.words) expect(indexed).toContain(word)
        }
      }),
      { numRuns: propertyRuns(2000) },
    )
  })

  it('[J15] a word is found in a text exactly if the index has it', () => {
    const unit = fc.constantFrom('a', 'b', 'B', 'C', 'é', 'e', '日', '1', '_', ' ', 'ſ', 'İ')
    const word = fc.string({ unit, minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), word, fc.boolean(), (text, written, isPrefix) => {
        const wanted = formOf(written)
        fc.pre(indexText(written) === wanted && wanted !== '')
        const words = indexText(text).split(' ')
        const has = words.some(each => (isPrefix ? each.startsWith(wanted) : each === wanted))
        expect(findWord(wanted, isPrefix, { text, folded: foldCase(text) }, 0) !== null).toBe(has)
      }),
      { numRuns: propertyRuns(2000) },
    )
  })
})
