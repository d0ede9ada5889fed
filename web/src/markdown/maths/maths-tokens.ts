import { Marked, type MarkedOptions, type TokenizerExtension } from 'marked'

/** A formula in a text. */
export type MathsToken = Readonly<{ type: 'maths'; raw: string; source: string; display: boolean }>

const longest = 2_000
// A formula has no empty line.
const body = String.raw`((?:(?!\n[ \t]*\n)[^])+?)`
// Nor the end of another one.
const squareBody = String.raw`((?:(?!\\\]|\n[ \t]*\n)[^])+)`

const blockRule = new RegExp(String.raw`^ {0,3}(?:\$\$${body}\$\$|\\\[${squareBody}\\\])[ \t]*(?:\n|$)`)
const displayRule = new RegExp(String.raw`^\$\$(?!\$)${body}(?<!\\)\$\$(?!\$)`)
const bracketRule = new RegExp(String.raw`^\\\(${body}\\\)`)
// In a line these are mostly brackets that are not to become a link: a formula is known by what only formulas have.
const squareRule = new RegExp(
  String.raw`^\\\[(?=(?:(?!\\\]|\n[ \t]*\n)[^])*?(?:\\[A-Za-z]|\^|_\{|\s[=<>+]\s))${squareBody}\\\]`,
)
// As pandoc: no space inside the dollars, no digit after; and neither names of variables nor sums of money.
const dollarRule = /^\$(?![\s$])((?:\\[^]|(?!\n[ \t]*\n)[^\\$`])*?(?:\\[^]|[^\\$`\s]))\$(?![\p{L}\p{N}_${])/u

const formula = (rule: RegExp, source: string, display: boolean): MathsToken | undefined => {
  const found = rule.exec(source.slice(0, longest))
  const inside = (found?.[1] ?? found?.[2])?.trim()
  return found && inside ? { type: 'maths', raw: found[0], source: inside, display } : undefined
}

const block: TokenizerExtension = {
  name: 'maths',
  level: 'block',
  // Text after an empty line is parsed separately.
  start: source => startOf(/\n {0,3}(?:\$\$|\\\[)/, source.slice(0, endOfParagraph(source)), 1),
  tokenizer: source => (/^ {0,3}(?:\$\$|\\\[)/.test(source) ? formula(blockRule, source, true) : undefined),
}

const inline: TokenizerExtension = {
  name: 'inlineMaths',
  level: 'inline',
  start: source => startOf(/(?<![\p{L}\p{N}_$\\])\$|\\[([]/u, source, 0),
  tokenizer(source, before) {
    if (source.startsWith('\\(')) return formula(bracketRule, source, false)
    if (source.startsWith('\\[')) return formula(squareRule, source, true)
    if (!source.startsWith('$') || /[\p{L}\p{N}_$]$/u.test(before.at(-1)?.raw ?? '')) return undefined
    return formula(displayRule, source, true) ?? formula(dollarRule, source, false)
  },
}

const endOfParagraph = (source: string) => {
  const end = source.search(/\n[ \t]*\n/)
  return end < 0 ? source.length : end
}

const startOf = (rule: RegExp, source: string, skip: number) => {
  const at = source.search(rule)
  return at < 0 ? undefined : at + skip
}

const { defaults } = new Marked({ extensions: [block, inline] })

/** What teaches the lexer formulas. */
export const mathsOptions: MarkedOptions = { extensions: defaults.extensions ?? null }
