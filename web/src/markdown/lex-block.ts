import type { Links, Token } from 'marked'
import remend from 'remend'
import { BoundedLexer } from './bounded-lexer.ts'

/** Longer than this, what is still open is not guessed. */
const longestGuess = 8_000

/** The parts of a block. In one that is still being written, emphasis that is open is closed for now, so that it looks as it will. */
export function lexBlock(raw: string, links: Links, open: boolean): readonly Token[] {
  const lexer = new BoundedLexer()
  lexer.tokens.links = Object.assign(Object.create(null) as Links, links)
  return lexer.lex(open && raw.length <= longestGuess ? closed(raw) : raw)
}

const closed = (raw: string) =>
  // Repairs that would remove text, or make a formula of something unfinished, are skipped.
  remend(raw, {
    images: false,
    links: false,
    htmlTags: false,
    katex: false,
    inlineKatex: false,
    comparisonOperators: false,
  })
