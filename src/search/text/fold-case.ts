/** Letters whose small form has another length, or that a comparison without case must treat as another letter. */
const special = /[\0İſ]/g
const plain: Readonly<Record<string, string>> = { '\0': ' ', İ: 'i', ſ: 's' }

/** A text in lower case, with the same length, so that a place in it is a place in the original. */
export const foldCase = (text: string): string =>
  text
    .replaceAll(special, sign => plain[sign] ?? sign)
    .toLowerCase()
    .replaceAll('ς', 'σ')
