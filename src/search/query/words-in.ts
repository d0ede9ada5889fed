import { formOf, isSign, piecesOf, withoutColours, wordsOf } from '../text/words.ts'
import type { WordNeed } from './query.ts'

/** The words that every text with an exact text has: at its ends, a word may be cut off. */
export function wordsInExact(text: string): readonly WordNeed[] {
  const words = [...wordsOf(withoutColours(text))]
  return words
    .filter(({ from, to, form }) => (from > 0 && to < text.length) || isSign(form))
    .map(({ form: word }) => ({ word, isPrefix: false }))
}

/** The words of a path or an identifier that begins with a word. */
export function wordsInName(text: string, isPrefix: boolean): readonly WordNeed[] {
  const words = [...wordsOf(text)]
  return words.map(({ from, to, form: word }, index) => {
    const pieces = words.length === 1 ? piecesOf(text.slice(from, to)).map(formOf) : []
    const mayGoOn = isPrefix && index === words.length - 1
    return { word, isPrefix: mayGoOn, ...(pieces.length > 0 && { pieces }) }
  })
}
