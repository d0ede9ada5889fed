import type { Token } from 'marked'
import { describe, expect, it } from 'vitest'
import { BoundedLexer } from '../bounded-lexer.ts'
import type { MathsToken } from './maths-tokens.ts'

const formulasIn = (tokens: readonly Token[]): readonly MathsToken[] =>
  (tokens as readonly (Token | MathsToken)[]).flatMap(token =>
    token.type === 'maths' ? [token as MathsToken] : formulasIn(('tokens' in token && token.tokens) || []),
  )

const read = (text: string) =>
  formulasIn(new BoundedLexer().lex(text)).map(({ source, display }) => (display ? `[${source}]` : source))

describe('formulas', () => {
  it.each([
    ['so $x^2$ is', ['x^2']],
    ['$a$, $b$; ($c$)', ['a', 'b', 'c']],
    [String.raw`\(e^{i\pi}\)`, [String.raw`e^{i\pi}`]],
    ['$$\nx = 1\n$$', ['[x = 1]']],
    ['words\n$$\nx = 1\n$$\nwords', ['[x = 1]']],
    ['in $$x$$ line', ['[x]']],
    ['\\[\nx\n\\]', ['[x]']],
    [String.raw`so \[ \int_0^1 x dx \] is`, [String.raw`[\int_0^1 x dx]`]],
    [String.raw`so \[x^2\], \[ a = b \]`, ['[x^2]', '[a = b]']],
    ['**bold $x$**', ['x']],
    [String.raw`$\$5$`, [String.raw`\$5`]],
    ['$a\nb$', ['a\nb']],
    ['$x_1 * y_2$ and $z_1 * w_2$', ['x_1 * y_2', 'z_1 * w_2']],
  ])('[W2] are found in %j', (text, formulas) => {
    expect(read(text)).toEqual(formulas)
  })

  it.each([
    '$5 and $6',
    'from $5-$6 to $7',
    'US$5 and US$',
    '$HOME/$USER',
    '${a} and ${b}',
    '${a}${b}',
    '$ x $',
    '$x',
    'echo $x; echo $y',
    String.raw`\$x\$`,
    '`$x$`',
    '```\n$$\nx\n$$\n```',
    '$a `b$`',
    '$$\n\nx\n\n$$',
    '$$',
    '$$$$',
    'a \\[link\\] b',
    String.raw`\[1\] and x^2 \[2\]`,
    String.raw`run it \[--name=value\] \[--other\_name\]`,
    `$${'x'.repeat(5_000)}$`,
  ])('[W2] are not found in %j', text => {
    expect(read(text)).toEqual([])
  })
})
