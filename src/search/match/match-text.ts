import type { Query, Term } from '../query/query.ts'
import { foldCase } from '../text/fold-case.ts'
import { withoutColours } from '../text/words.ts'
import { findWord } from './find-word.ts'
import type { Folded, Range } from './range.ts'
import { cutSnippet, type Snippet } from './snippet.ts'

/** Finds the first match of a term at or after a place. */
type Finder = (texts: Texts, from: number) => Range | null

/** A text as it is, and as it is split into words. */
interface Texts {
  readonly whole: Folded
  readonly words: Folded
}

const foldedOf = (text: string): Folded => ({ text, folded: foldCase(text) })

function textsOf(text: string): Texts {
  const whole = foldedOf(text)
  const clear = withoutColours(text)
  return { whole, words: clear === text ? whole : foldedOf(clear) }
}

/** Compares texts with a query. */
export interface Matcher {
  /** A piece of the text with what was found in it; null if a term is missing. */
  match(text: string): Snippet | null
}

/** Prepares to compare texts with the terms of a query. */
export function createMatcher({ terms }: Pick<Query, 'terms'>): Matcher {
  const finders = terms.map(finderOf)
  return {
    match(text) {
      const texts = textsOf(text)
      const first: Range[] = []
      for (const find of finders) {
        const found = find(texts, 0)
        if (found === null) return null
        first.push(found)
      }
      const [start] = first.toSorted(([a], [b]) => a - b)
      return cutSnippet(text, start ?? [0, 0], (from, to) => rangesIn(finders, texts, from, to))
    },
  }
}

function finderOf(term: Term): Finder {
  if (term.type === 'word') return ({ words }, from) => findWord(term.word, term.isPrefix, words, from)
  if (term.type === 'pattern') return patternFinder(new RegExp(term.source, `${term.flags}g`))
  const wanted = foldCase(term.text)
  return ({ whole: { folded } }, from) => {
    const at = folded.indexOf(wanted, from)
    return at === -1 ? null : [at, at + wanted.length]
  }
}

function patternFinder(pattern: RegExp): Finder {
  return ({ whole: { text } }, from) => {
    pattern.lastIndex = from
    const found = pattern.exec(text)
    return found === null ? null : [found.index, found.index + found[0].length]
  }
}

const mostRanges = 20

/** The matches of all terms in a piece of a text, joined where they overlap. */
function rangesIn(finders: readonly Finder[], texts: Texts, from: number, to: number): readonly Range[] {
  const found = finders.flatMap(find => {
    const ranges: Range[] = []
    for (let at = from; at <= to && ranges.length < mostRanges;) {
      const range = find(texts, at)
      if (range === null || range[0] >= to) break
      if (range[1] > range[0]) ranges.push(range)
      at = Math.max(range[1], at + 1)
    }
    return ranges
  })
  const joined: [number, number][] = []
  for (const [start, end] of found.toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined
}
