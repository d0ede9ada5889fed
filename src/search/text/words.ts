import { foldCase } from './fold-case.ts'

/** A word in a text: its place, and the form that is compared. */
export interface Word {
  readonly from: number
  readonly to: number
  readonly form: string
}

/** Longer words are cut, in texts and in queries alike: keys and hashes would fill the index. */
const longestWord = 64
/** Identifiers have few pieces; more of them are a sign of encoded data. */
const mostPieces = 8

/** Scripts without spaces between words, and Korean, whose words have endings: each sign is a word. */
const sign = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}`
const isOneSign = new RegExp(String.raw`^[${sign}\p{Extended_Pictographic}]$`, 'u')

/** Whether a word is one sign that is a word wherever it stands. */
export const isSign = (form: string): boolean => isOneSign.test(form)

/** Each search for words has a separate pattern, because a pattern remembers its place. */
const anyWord = () =>
  new RegExp(String.raw`[${sign}\p{Extended_Pictographic}]|(?:(?![${sign}])[\p{L}\p{N}\p{M}])+`, 'gu')
const plainWord = () => /[A-Za-z0-9]+/g
const isPlain = /^[\0-\x7f]*$/
const hasHump = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u
const hump = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

/** The words of a text in order, beginning at a place that is not inside a word. */
export function* wordsOf(text: string, from = 0): Generator<Word, void, undefined> {
  const pattern = isPlain.test(text) ? plainWord() : anyWord()
  pattern.lastIndex = from
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const [word] = found
    const form = formOf(word)
    // An accent without a letter is not a word.
    if (form !== '') yield { from: found.index, to: found.index + word.length, form }
  }
}

/** The form in which words are compared: lower case, without accents, at most 64 signs. */
export function formOf(word: string): string {
  if (isPlain.test(word)) return word.slice(0, longestWord).toLowerCase()
  const bare = word
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
  return Array.from(foldCase(bare)).slice(0, longestWord).join('')
}

/** The pieces of an identifier in camel case, as it is written; none for any other word. */
export function piecesOf(word: string): readonly string[] {
  if (word.length > longestWord || !hasHump.test(word)) return none
  const pieces = word.split(hump)
  return pieces.length > mostPieces ? none : pieces
}

const none: readonly string[] = []

// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const colour = /\u001b\[[\d;?]{0,32}[A-Za-z]/g

/** A text with blanks in place of a terminal's colours, whose letters would belong to the word after them. */
export const withoutColours = (text: string): string =>
  text.includes('\u001b[') ? text.replaceAll(colour, found => ' '.repeat(found.length)) : text

/** The words of a text for an index: each with the pieces of its identifiers, separated by spaces. */
export function indexText(given: string): string {
  const text = withoutColours(given)
  const words: string[] = []
  for (const word of text.match(isPlain.test(text) ? plainWord() : anyWord()) ?? none) {
    words.push(formOf(word))
    for (const piece of piecesOf(word)) words.push(formOf(piece))
  }
  return words.join(' ')
}
