import { growthOf } from './growth.ts'

/** The texts that are repeated to make a text hostile. */
const pumps = [
  ...'<>/\n\r a0-.:[]{}()"\\`*_#|~$&!+@='.split(''),
  '<a ',
  '<a href="',
  '<!--',
  '<script>',
  '</script ',
  '<b>',
  '&amp',
  '<usage>',
  '<command-name>',
  '{"a":',
  '{"a":[',
  '"\\u',
  '[[',
  '![',
  '**a',
  '`a',
  '> ',
  '- ',
  '| a ',
  '\n| a |',
  '\n- a',
  '\n> a',
  'a\n\n',
  '1. ',
  '\u001B[',
  '\u001B[1K',
  'a\u001B[1K',
  'a\u001B[2Ka\u001B[1K',
  '\u001B[31m',
  '\u001B]0;',
  '\ra',
  'a\b',
  '\u0301',
  '\u200D',
  '\u202E',
  '\n+a',
  '\n-a',
  '\n@@ -1 +1 @@\n',
  'diff --git ',
  '*** Update File: a\n',
  'a.b-1-',
  'data: ',
  'data:\n\n',
  'token=',
  '://a:',
]

/** The texts, of the given repeated ones, for which a reader takes more than linear time. */
export const slowFor = (read: (text: string) => unknown, repeated: readonly string[] = pumps) =>
  repeated.flatMap(pump => {
    const fault = growthOf(length => {
      const text = `x${pump.repeat(length / pump.length)}x`
      return () => read(text)
    }, 8_000)
    return fault === null ? [] : [`${JSON.stringify(pump)}: ${fault}`]
  })
