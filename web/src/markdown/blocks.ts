import type { Links, Token } from 'marked'
import { BoundedLexer } from './bounded-lexer.ts'
import { outlineAfter, type Outline } from './outline.ts'
import remend from 'remend'

/** A part of a text that can be shown by itself. */
export interface Block {
  readonly raw: string
  /** Whether more of the text may still change it. */
  readonly open: boolean
  /** The headings above it. */
  readonly outer: Outline
}

/** A text in blocks, and the addresses that it names for all of them. */
export interface Blocks {
  readonly blocks: readonly Block[]
  readonly links: Links
}

/** Splits growing text into blocks; finished blocks are parsed only once. */
export interface BlockCutter {
  cut(text: string): Blocks
  /** How many characters were parsed so far. */
  readonly work: number
}

interface Settled {
  readonly text: string
  readonly blocks: readonly Block[]
  readonly links: Links
  readonly outline: Outline
}

const nothing: Settled = { text: '', blocks: [], links: joined(), outline: '' }

/** Remembers what it cut before, for the next time. */
export function createBlockCutter(): BlockCutter {
  let settled = nothing
  let work = 0
  let last: { readonly text: string; readonly blocks: Blocks } | null = null
  return {
    get work() {
      return work
    },
    cut(text) {
      if (last?.text === text) return last.blocks
      const whole = text.replaceAll(/\r\n?/g, '\n')
      if (!whole.startsWith(settled.text)) settled = nothing
      const tail = lexTail(whole.slice(settled.text.length))
      work += tail.work
      settled = settle(settled, tail)
      const rest = whole.slice(settled.text.length)
      const links = sameOr(last?.blocks.links, joined(tail.links, settled.links))
      const open = { raw: rest, open: true, outer: settled.outline }
      const blocks = rest === '' ? settled.blocks : [...settled.blocks, open]
      last = { text, blocks: { blocks, links } }
      return last.blocks
    },
  }
}

interface Tail {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly links: Links
  readonly work: number
}

function lexTail(text: string): Tail {
  const lexer = new BoundedLexer()
  const tokens = lexer.blockTokens(text, lexer.tokens)
  return { text, tokens, links: lexer.tokens.links, work: lexer.work }
}

/** A block ends with an empty line followed by a complete line that did not become part of it. */
function settle(before: Settled, { text, tokens, links }: Tail): Settled {
  const blocks: Block[] = []
  let [from, at] = [0, 0]
  let [outer, outline] = [before.outline, before.outline]
  for (const token of tokens) {
    if (!text.startsWith(token.raw, at)) break
    at += token.raw.length
    outline = outlineAfter(outline, token)
    if (token.type !== 'space' || !text.includes('\n', at)) continue
    blocks.push({ raw: text.slice(from, at), open: false, outer })
    from = at
    outer = outline
  }
  if (from === 0) return before
  const done = text.slice(0, from)
  return {
    text: before.text + done,
    blocks: [...before.blocks, ...blocks],
    outline: outer,
    // Those of the rest may still change.
    links: Object.keys(links).length === 0 ? before.links : joined(lexTail(done).links, before.links),
  }
}

/** Names can be any word, so the object must not inherit properties. */
function joined(...parts: readonly Links[]): Links {
  return Object.assign(Object.create(null) as Links, ...parts)
}

/** Returns the same object while nothing changed, so that dependents are not drawn again. */
function sameOr(before: Links | undefined, now: Links): Links {
  if (before === undefined) return now
  const names = Object.keys(now)
  const isSame =
    names.length === Object.keys(before).length &&
    names.every(name => before[name]?.href === now[name]?.href && before[name]?.title === now[name]?.title)
  return isSame ? before : now
}

/** In longer blocks, open formatting is not closed. */
const longestGuess = 8_000

/**
 * The parts of a block. In a block that still streams, open emphasis is closed, so that it looks as it will at
 * the end.
 */
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
