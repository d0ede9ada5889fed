import { formOf, piecesOf, wordsOf, type Word } from '../text/words.ts'
import type { Folded, Range } from './range.ts'

const isPlain = /^[\0-\x7f]*$/

/** Finds a word in a text as the index does: as a word, or as a piece of an identifier. */
export function findWord(wanted: string, isPrefix: boolean, both: Folded, from: number): Range | null {
  const isSame = ({ form }: Word) => (isPrefix ? form.startsWith(wanted) : form === wanted)
  const { text, folded } = both
  // Looking for it as a text is quicker than splitting the whole text into words.
  if (!isPlain.test(text) || !isPlain.test(wanted))
    return firstIn(wordsAt(text, wordStart(text, from)), from, isSame, wanted)
  for (let at = folded.indexOf(wanted, from); at !== -1; at = folded.indexOf(wanted, at + 1)) {
    const [word] = wordsOf(text, startOf(text, at))
    const found = word && firstIn(withPieces(text, word), Math.max(from, at), isSame, wanted)
    if (found) return found
  }
  return null
}

/** The beginning of the word around a place. */
function startOf(text: string, at: number): number {
  let start = at
  while (start > 0 && /[A-Za-z0-9]/.test(text[start - 1] ?? '')) start -= 1
  return start
}

/** A place at or before another that is not inside a word. */
function wordStart(text: string, at: number): number {
  let start = at
  while (start > 0 && isInWord.test(text[start - 1] ?? '')) start -= 1
  return start
}

/** Halves of a sign, too. */
const isInWord = /[\p{L}\p{N}\p{M}\p{Cs}]/u

function firstIn(
  words: Iterable<Word>,
  from: number,
  isSame: (word: Word) => boolean,
  wanted: string,
): Range | null {
  for (const word of words) {
    if (word.from < from || !isSame(word)) continue
    // Of a longer word, only the part that was asked for is marked.
    const isAsWritten = word.to - word.from === word.form.length
    return [word.from, isAsWritten ? word.from + wanted.length : word.to]
  }
  return null
}

function* wordsAt(text: string, from: number): Generator<Word, void, undefined> {
  for (const word of wordsOf(text, from)) yield* withPieces(text, word)
}

function* withPieces(text: string, word: Word): Generator<Word, void, undefined> {
  yield word
  let at = word.from
  for (const piece of piecesOf(text.slice(word.from, word.to))) {
    yield { from: at, to: at + piece.length, form: formOf(piece) }
    at += piece.length
  }
}
