import { badQuery } from './bad-query.ts'
import { piecesOf, wordsOf } from '../text/words.ts'
import { wordsInExact, wordsInName } from './words-in.ts'
import { readFilter } from './read-filter.ts'
import { needOfPattern } from './need-of-pattern.ts'
import type { Filters, PatternTerm, Query, Term } from './query.ts'

const longestQuery = 1000
const longestPattern = 300
const mostTerms = 32

/** A piece of a query between spaces. */
interface Item {
  readonly type: 'exact' | 'pattern' | 'plain'
  readonly text: string
  readonly flags: string
}

/**
 * Reads a query: words, `"exact text"`, `/regular expression/` and filters such as `tool:Bash`. What it cannot
 * understand is refused with a sentence. The last word may be the beginning of a word.
 */
export function parseQuery(text: string, given: Filters = {}): Query {
  if (text.length > longestQuery)
    throw badQuery(`The query has more than ${longestQuery} characters. Use a shorter one.`)
  const items = itemsOf(text)
  let filters = given
  const terms: Term[] = []
  for (const [index, item] of items.entries()) {
    const filter = item.type === 'plain' ? readFilter(item.text) : null
    if (filter !== null) filters = join(filters, filter)
    else terms.push(...termsOf(item, index === items.length - 1))
  }
  if (terms.length > mostTerms)
    throw badQuery(`The query has more than ${mostTerms} words. Use fewer words, or put them in quotes.`)
  if (terms.length === 0 && items.some(({ type }) => type === 'plain') && filters === given)
    throw badQuery('The query has no words. To search for other characters, put them in quotes: "=>".')
  if (terms.length === 0 && Object.keys(filters).length === 0)
    throw badQuery(
      'The query is empty. Enter a word, "exact text", /a pattern/ or a filter such as tool:Bash.',
    )
  return { terms, filters }
}

function join(filters: Filters, more: Filters): Filters {
  const twice = Object.keys(more).find(name => Object.hasOwn(filters, name))
  if (twice === undefined) return { ...filters, ...more }
  throw badQuery(`The query has the filter ${nameOf(twice)} twice. Use it once.`)
}

const nameOf = (field: string) => (field.startsWith('cost') ? 'cost' : field)

function itemsOf(text: string): readonly Item[] {
  const items: Item[] = []
  const next =
    /\s*(?:"((?:[^"\\]|\\.)*)("?)|(\/(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.){0,999}\]){1,999}\/)([a-z]*)(?=\s|$)|(\S+))/gsy
  for (let found = next.exec(text); found !== null; found = next.exec(text)) {
    const [, exact, close, pattern, flags = '', plain] = found
    if (exact !== undefined && close === '')
      throw badQuery(
        'The query has a quotation mark without a second one. Add it at the end of the exact text.',
      )
    if (exact !== undefined) items.push({ type: 'exact', text: unescaped(exact), flags })
    else if (pattern !== undefined) items.push({ type: 'pattern', text: pattern.slice(1, -1), flags })
    else items.push({ type: 'plain', text: plain ?? '', flags })
  }
  return items
}

/** Within quotes, a backslash keeps its meaning, except before a quotation mark. */
const unescaped = (text: string) => text.replaceAll(String.raw`\"`, '"')

function termsOf({ type, text, flags }: Item, isLast: boolean): readonly Term[] {
  if (type === 'pattern') return [patternOf(text, flags)]
  if (type === 'plain') return wordTerm(text, isLast)
  if (text.trim() === '') throw badQuery('The text in quotes is empty. Enter the text to search for.')
  return [{ type: 'exact', text, words: wordsInExact(text) }]
}

/** A path or an identifier of several words must appear as it is written. */
function wordTerm(text: string, isPrefix: boolean): readonly Term[] {
  const words = [...wordsOf(text)]
  const [first, last] = [words[0], words.at(-1)]
  if (first === undefined || last === undefined) return []
  const written = text.slice(first.from, last.to)
  const isOne = words.length === 1 && piecesOf(written).length === 0
  return [
    isOne
      ? { type: 'word', word: first.form, isPrefix }
      : { type: 'exact', text: written, words: wordsInName(written, isPrefix) },
  ]
}

/** Lines are matched as `grep` does: `^` and `$` are the ends of a line. */
function patternOf(source: string, flags: string): PatternTerm {
  if (source.length > longestPattern)
    throw badQuery(`The pattern has more than ${longestPattern} characters. Use a shorter one.`)
  if (!/^[imsu]*$/.test(flags) || new Set(flags).size < flags.length)
    throw badQuery(
      `The pattern ends with "${flags}". After the last slash, use "i" to ignore case, or nothing.`,
    )
  const wanted = [...new Set(`${flags}m`)].join('')
  const strict = compiles(source, `${wanted.replace('u', '')}u`)
  if (strict === null)
    return { type: 'pattern', source, flags: `${wanted.replace('u', '')}u`, need: needOfPattern(source) }
  const lenient = wanted.includes('u') ? strict : compiles(source, wanted)
  if (lenient === null) return { type: 'pattern', source, flags: wanted, need: needOfPattern(source) }
  throw badQuery(
    `The pattern /${source}/ is not valid: ${lenient}. Correct it, or put the text in quotes to search for it as it is.`,
  )
}

/** Why a pattern is not valid; null if it is. */
function compiles(source: string, flags: string): string | null {
  try {
    return new RegExp(source, flags).source === '' ? 'it is empty' : null
  } catch (error) {
    const [, why = 'it cannot be read'] = /: ([^:]*)$/.exec((error as Error).message) ?? []
    return why.charAt(0).toLowerCase() + why.slice(1)
  }
}
