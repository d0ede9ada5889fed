import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../protocol/property-runs.fixture.ts'
import { foldCase } from './fold-case.ts'
import { formOf, indexText, piecesOf, wordsOf } from './words.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(
      'a',
      'B',
      'é',
      'İ',
      'Σ',
      'ς',
      'ſ',
      '日',
      '本',
      '한',
      '🎉',
      '_',
      '.',
      ' ',
      '9',
      '\0',
      '\ud83c',
    ),
  }),
)

describe('the words of a text', () => {
  it.each([
    ['Fix the bug', 'fix the bug'],
    ['getUserById', 'getuserbyid get user by id'],
    ['HTTPServer2Go', 'httpserver2go http server2 go'],
    ['snake_case_name', 'snake case name'],
    ['src/agents/codex.ts:12', 'src agents codex ts 12'],
    ['ERR_INVALID_ARG', 'err invalid arg'],
    ['naïve Ärger', 'naive arger'],
    ['日本語のtest検索', '日 本 語 の test 検 索'],
    ['한국어', '한 국 어'],
    ['done 🎉!', 'done 🎉'],
    ['=> && ||', ''],
    ['\u001b[1;31merror\u001b[0m: no', 'error no'],
  ])('[J15] of %s are %s', (text, words) => {
    expect(indexText(text)).toBe(words)
  })

  it('[J15] are cut at 64 signs, and encoded data has no pieces', () => {
    expect(formOf('a'.repeat(100))).toHaveLength(64)
    expect(piecesOf('aB'.repeat(20))).toEqual([])
  })

  it('[J15] lie in the text in order, and keep their form', () => {
    fc.assert(
      fc.property(anyText, text => {
        let end = 0
        for (const { from, to, form } of wordsOf(text)) {
          expect(from).toBeGreaterThanOrEqual(end)
          expect(to).toBeGreaterThan(from)
          expect(formOf(text.slice(from, to))).toBe(form)
          expect(indexText(text).split(' ')).toContain(form)
          end = to
        }
      }),
      { numRuns: propertyRuns(300) },
    )
  })

  it('[J15] lower case keeps the length of a text, so that places stay', () => {
    fc.assert(
      fc.property(anyText, text => {
        expect(foldCase(text)).toHaveLength(text.length)
        expect(foldCase(foldCase(text))).toBe(foldCase(text))
      }),
      { numRuns: propertyRuns(300) },
    )
  })
})
