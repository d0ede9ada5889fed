import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDragomanError } from '../../protocol/error.ts'
import { propertyRuns } from '../../protocol/property-runs.fixture.ts'
import { foldCase } from '../text/fold-case.ts'
import type { Need } from './need.ts'
import { needOfPattern } from './need-of-pattern.ts'
import { parseQuery } from './parse-query.ts'

const word = (text: string, isPrefix = false) => ({ type: 'word', word: text, isPrefix })
const exact = (text: string) => ({ type: 'exact', text })

describe('a query', () => {
  it.each([
    ['Deploy fail', [word('deploy'), word('fail', true)]],
    ['(deploy) panic:', [word('deploy'), word('panic', true)]],
    ['src/main.ts x', [exact('src/main.ts'), word('x', true)]],
    ['getUserById', [exact('getUserById')]],
    ['日本', [exact('日本')]],
    ['"exit code 1" now', [exact('exit code 1'), word('now', true)]],
    [String.raw`"say \"hi\""`, [exact('say "hi"')]],
    ['/usr/local/bin', [exact('usr/local/bin')]],
    [String.raw`/E\d+ [/]x/i`, [{ type: 'pattern', source: String.raw`E\d+ [/]x`, flags: 'imu' }]],
    [String.raw`/\_a/`, [{ type: 'pattern', source: String.raw`\_a`, flags: 'm' }]],
    [
      'https://x.dev std::vector localhost:80',
      [exact('https://x.dev'), exact('std::vector'), exact('localhost:80')],
    ],
  ])('[J15] %s', (text, terms) => {
    expect(parseQuery(text).terms).toMatchObject(terms)
  })

  it('[J15] has filters, which may also be given beside it', () => {
    expect(
      parseQuery('agent:codex folder:a/b tool:Bash file:x.ts status:done cost>1.5 cost<$9 go'),
    ).toMatchObject({
      terms: [word('go', true)],
      filters: {
        agent: 'codex',
        folder: 'a/b',
        tool: 'Bash',
        file: 'x.ts',
        status: 'idle',
        costAbove: 1.5,
        costBelow: 9,
      },
    })
    const day = Date.UTC(2026, 10, 15)
    expect(parseQuery('after:2026-11-15 before:2026-11-15T01:00').filters).toEqual({
      after: day,
      before: day + 3_600_000,
    })
    expect(parseQuery('', { tool: 'Bash' })).toEqual({ terms: [], filters: { tool: 'Bash' } })
  })

  it.each([
    ['', 'The query is empty.'],
    ['=> ->', 'The query has no words. To search for other characters, put them in quotes'],
    ['\u0301', 'The query has no words.'],
    ['before:2026-02-31', '"2026-02-31" is not a day.'],
    ['after:2026-02-30T10:00', '"2026-02-30T10:00" is not a day.'],
    ['"abc', 'The query has a quotation mark without a second one. Add it'],
    ['""', 'The text in quotes is empty. Enter'],
    ['/(a/', 'The pattern /(a/ is not valid: unterminated group. Correct it'],
    ['/a/gx', 'The pattern ends with "gx". After the last slash, use "i"'],
    [`/${'a'.repeat(301)}/`, 'The pattern has more than 300 characters. Use a shorter one.'],
    ['colour:red', 'There is no filter "colour:". The filters are agent:, folder:'],
    ['tool:', 'The filter tool: needs a value, such as tool:Bash.'],
    ['tool:a tool:b', 'The query has the filter tool twice. Use it once.'],
    ['status:odd', '"odd" is not a status. Use status:running'],
    ['before:yesterday', '"yesterday" is not a day. Use before:2026-11-15'],
    ['cost>much', '"much" is not a cost. Use an amount in US dollars'],
    ['a '.repeat(40), 'The query has more than 32 words. Use fewer words'],
    ['a'.repeat(1001), 'The query has more than 1000 characters. Use a shorter one.'],
  ])('[J15] that cannot be understood is refused with a sentence: %s', (text, sentence) => {
    expect(() => parseQuery(text)).toThrow(sentence)
  })

  it('[S28] of any kind is understood or refused, at once', () => {
    const pieces = fc.constantFrom(
      '/',
      '"',
      '\\',
      '(',
      ')',
      '[',
      ']',
      '{',
      '9',
      '+',
      '*',
      '|',
      'a',
      ':',
      ' ',
      '日',
      'tool:',
    )
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: pieces, maxLength: 60 })),
        text => {
          try {
            parseQuery(text)
          } catch (error) {
            expect(isDragomanError(error, 'invalid-input'), String(error)).toBe(true)
          }
        },
      ),
      { numRuns: propertyRuns(500) },
    )
  })
})

const holds = (need: Need, text: string): boolean =>
  'text' in need
    ? text.includes(need.text)
    : 'all' in need
      ? need.all.every(each => holds(each, text))
      : need.any.some(each => holds(each, text))

/** A pattern, and a text that it matches. */
const matched: fc.Arbitrary<readonly [pattern: string, text: string]> = fc.letrec<{
  readonly node: readonly [string, string]
}>(tie => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc
      .string({ unit: fc.constantFrom('a', 'b', 'C', ' ', 'é'), minLength: 1, maxLength: 5 })
      .map(text => [text, text] as const),
    fc.constantFrom(
      [String.raw`\d`, '7'],
      ['.', 'x'],
      ['[a-c]', 'b'],
      [String.raw`\n`, '\n'],
      [String.raw`\.`, '.'],
      [String.raw`\x41`, 'A'],
      [String.raw`\u{1F389}`, '🎉'],
      [String.raw`\p{Lu}`, 'Q'],
      ['[^\\]x]', 'y'],
      ['(?=)', ''],
      ['', ''],
    ),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => [`${a[0]}${b[0]}`, `${a[1]}${b[1]}`] as const),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => [`(?:${a[0]}|${b[0]})`, b[1]] as const),
    tie('node').map(([a, text]) => [`(${a})+?`, text + text] as const),
    tie('node')
      .map(([a]) => [`(?<n${Math.abs(a.length)}>${a})?`, ''] as const)
      .map(([a, text]) => [a.replaceAll(/\?<n\d+>/g, '?:'), text] as const),
    tie('node').map(([a]) => [`(?:${a}){0,3}`, ''] as const),
    tie('node').map(([a, text]) => [`(?:${a}){2}`, text + text] as const),
  ),
})).node

describe('the texts that a pattern needs', () => {
  it.each([
    [String.raw`func \w+Hook\(`, { all: [{ text: 'func ' }, { text: 'hook(' }] }],
    ['(?:cat|Dogs)s?', { any: [{ text: 'cat' }, { text: 'dogs' }] }],
    ['(cat|x)s', null],
    ['abc(?!def)', { text: 'abc' }],
    ['ab', null],
  ])('[J15] %s', (pattern, need) => {
    expect(needOfPattern(pattern)).toEqual(need)
  })

  it('[J15] are in every match', () => {
    fc.assert(
      fc.property(matched, ([pattern, text]) => {
        fc.pre(new RegExp(`^(?:${pattern})$`, 'u').test(text))
        const need = needOfPattern(pattern)
        expect(need === null || holds(need, foldCase(text))).toBe(true)
      }),
      { numRuns: propertyRuns(1000) },
    )
  })
})
