import { Lexer, Tokenizer, type MarkedOptions, type Token, type Tokens, type TokensList } from 'marked'
import { mathsOptions } from './maths/maths-tokens.ts'

/** How deep quotes and lists, or emphasis and links, may be nested before the rest is plain text. */
const deepest = 10
/** How many columns a table may have before it is plain text. */
const widest = 200
/** How much backtracking one run of text may cost before it is treated as plain text. */
const costliest = 2_000_000

class WholeTokenizer extends Tokenizer {
  override table(source: string): Tokens.Table | undefined {
    const columns = source.slice(0, source.indexOf('\n')).split('|').length
    if (columns > widest) return undefined
    const table = super.table(source)
    return table && withLostCells(table, words => this.lexer.inline(words))
  }
}

/** The lexer of marked, bounded in depth and time: anything beyond the limits stays plain text. */
export class BoundedLexer extends Lexer {
  /** The cost so far: characters read, and those read again for each marker. */
  work = 0
  #depth = 0

  constructor() {
    const options: MarkedOptions = {
      gfm: true,
      breaks: true,
      tokenizer: new WholeTokenizer(),
      ...mathsOptions,
    }
    super(options)
  }

  override blockTokens(source: string, tokens?: Token[], clipped?: boolean): Token[]
  override blockTokens(source: string, tokens?: TokensList, clipped?: boolean): TokensList
  override blockTokens(source: string, tokens: Token[] = [], clipped?: boolean): Token[] {
    if (this.#depth >= deepest) return asWords(source, tokens)
    this.work += source.length
    return this.#deeper(() => super.blockTokens(source, tokens, clipped))
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    const cost = source.length * (1 + marksIn(source)) + blanksIn(source)
    if (this.#depth >= deepest || cost > costliest) return asWords(source, tokens)
    this.work += source.length
    return this.#deeper(() => super.inlineTokens(source, tokens))
  }

  #deeper(lex: () => Token[]): Token[] {
    this.#depth++
    try {
      return lex()
    } finally {
      this.#depth--
    }
  }
}

const marksIn = (source: string) => source.match(/[[\]*_~`<&!(@:$\\\n]/g)?.length ?? 0

/** The cost of long runs of spaces: each is checked for a following line break. */
const blanksIn = (source: string) =>
  (source.match(/ {50,}/g) ?? []).reduce((sum, { length }) => sum + length ** 2, 0)

/** As plain text only. */
function asWords(source: string, tokens: Token[]): Token[] {
  if (source !== '') tokens.push({ type: 'text', raw: source, text: source })
  return tokens
}

/** A table without loss: cells after the last column, which Markdown drops, are added to the last column. */
function withLostCells(table: Tokens.Table, inline: (words: string) => Token[]): Tokens.Table {
  const lines = table.raw.trimEnd().split('\n').slice(2)
  const columns = table.header.length
  const rows = table.rows.map((row, index) => {
    const cells = cellsOf(lines[index] ?? '')
    const last = row.at(-1)
    if (cells.length <= columns || last === undefined) return row
    const text = cells.slice(columns - 1).join(' | ')
    return [...row.slice(0, -1), { ...last, text, tokens: inline(text) }]
  })
  return { ...table, rows }
}

const cellsOf = (line: string) =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map(cell => cell.trim().replaceAll(String.raw`\|`, '|'))
