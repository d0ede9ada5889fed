import fc from 'fast-check'

const words = fc.stringMatching(/^[a-z]{3,8}$/).map(letters => `w${letters}`)

const marks = fc.constantFrom(
  '*',
  '**',
  '_',
  '__',
  '~~',
  '`',
  '``',
  '```',
  '```ts\n',
  '~~~',
  '[',
  ']',
  '](',
  ')',
  '![',
  '<',
  '>',
  '> ',
  '- ',
  '* ',
  '1. ',
  '- [ ] ',
  '- [x] ',
  '# ',
  '### ',
  '---',
  '===',
  '|',
  '|-|-|',
  '\n',
  '\n\n',
  '\n\n\n',
  '  ',
  '    ',
  '\t',
  '$',
  '$$',
  '\\(',
  '\\)',
  '\\[',
  '\\]',
  '\\',
  '&amp;',
  '&',
  '<b>',
  '</b>',
  '<!--',
  '-->',
  '<details>\n',
  '</details>',
  '<pre>\n',
  '</pre>\n',
  'https://example.org/',
  '[x]: ',
  '[^1]: ',
  '\r\n',
  '\r',
  '| wcella | wcellb |\n|---|:-:|\n| wcellc | wcelld | wcelle |\n',
  '```mermaid\n',
  '<br>',
  '!',
  ':',
  '"',
  '.',
)

/** Text as a model might write it, or as an attacker would. */
export const anyText = fc
  .array(fc.oneof({ weight: 3, arbitrary: words }, { weight: 1, arbitrary: fc.constant(' ') }, marks), {
    maxLength: 60,
    size: 'max',
  })
  .map(pieces => pieces.join(''))

/** A text, and where it is cut while it streams. */
export const cutText = anyText.chain(text =>
  fc.record({
    text: fc.constant(text),
    cuts: fc
      .array(fc.nat({ max: text.length }), { maxLength: 12, size: 'max' })
      .map(cuts => [...cuts.toSorted((one, other) => one - other), text.length]),
  }),
)
