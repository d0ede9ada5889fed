/** Letters whose small form has another length, or that a comparison without case must treat as another letter. */
const special = /[İſ]/g
const plain: Readonly<Record<string, string>> = { İ: 'i', ſ: 's' }

/** A text in lower case, with the same length, so that a place in it is a place in the original. */
export const foldCase = (text: string): string =>
  text
    .replaceAll(special, sign => plain[sign] ?? sign)
    .toLowerCase()
    .replaceAll('ς', 'σ')

/** What an index of signs gets, and is asked for: no database takes a NUL in the middle of a text. */
export const signsOf = (text: string): string => foldCase(text).replaceAll('\0', ' ')
