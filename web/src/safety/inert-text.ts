import { signOf } from './signs.ts'

/** A piece of displayed text: plain text, or a symbol for an invisible character. */
export type InertPiece =
  | { readonly words: string }
  | { readonly sign: string; readonly name: string; readonly times: number }

// Control characters except tab and line feed, unpaired surrogates, invisible characters, and characters that change the text direction.
const one = String.raw`[\p{Default_Ignorable_Code_Point}\p{Cs}\u2028\u2029\uFFF9-\uFFFB]|(?![\t\n])\p{Cc}`
// A letter may have some combining marks, but not many.
const strange = new RegExp(String.raw`${one}|\p{M}{9}`, 'u')
const eachStrange = new RegExp(String.raw`${one}|(?<=\p{M}{8})\p{M}+`, 'ug')

/** Whether a text has an invisible character, or one that changes how others look. */
export const hasStrange = (text: string): boolean => strange.test(text)

// Sequences in which these characters are normal text: emoji, flags, scripts that need joiners.
const rightful = new RegExp(
  [
    String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji}\p{Emoji_Modifier}\u{FE0F}])\u200D(?=\p{Extended_Pictographic})`,
    String.raw`(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}]\p{M}?)[\u200C\u200D](?=[\p{L}\p{M}])`,
    String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji}])[\uFE0E\uFE0F]`,
    String.raw`(?<=\u{1F3F4})[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{2,6}\u{E007F}`,
  ].join('|'),
  'uy',
)

/** Splits text into plain text and symbols; line ends are normalized. Joining all pieces loses nothing. */
export function inertPieces(text: string): readonly InertPiece[] {
  const plain = text.replaceAll('\r\n', '\n')
  if (!hasStrange(plain)) return plain === '' ? [] : [{ words: plain }]
  const pieces: InertPiece[] = []
  let [from, rightfulTo] = [0, 0]
  for (const { 0: found, index } of plain.matchAll(eachStrange)) {
    if (index < Math.max(from, rightfulTo)) continue
    rightful.lastIndex = index
    if (rightful.test(plain)) {
      rightfulTo = rightful.lastIndex
      continue
    }
    if (index > from) pieces.push({ words: plain.slice(from, index) })
    addSign(pieces, found)
    from = index + found.length
  }
  if (from < plain.length) pieces.push({ words: plain.slice(from) })
  return pieces
}

function addSign(pieces: InertPiece[], found: string): void {
  const last = pieces.at(-1)
  const { sign, name } = signOf(found)
  if (last !== undefined && 'sign' in last && last.name === name)
    pieces[pieces.length - 1] = { ...last, times: last.times + 1 }
  else pieces.push({ sign, name, times: 1 })
}

/** The same as plain text, for places without elements: titles, names for screen readers, notifications. */
export const inertString = (text: string): string =>
  inertPieces(text)
    .map(piece => ('words' in piece ? piece.words : `⟨${piece.sign}${timesOf(piece.times)}⟩`))
    .join('')

/** How often a symbol repeats, if more than once. */
export const timesOf = (times: number): string => (times > 1 ? `×${times}` : '')

// CSI, OSC and other control strings, two-character escapes; an unfinished one at the end is removed too.
const ansi =
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*(?:[@-~]|$)|(?:\u001B[\]PX^_]|[\u0090\u0098\u009D-\u009F])[^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C|$)|\u001B[ -/]*(?:[0-Z\\^-~]|$)/g

/** A text without the colours and movements meant for a terminal. */
export const withoutAnsi = (text: string): string => text.replaceAll(ansi, '')
