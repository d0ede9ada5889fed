// Right-to-left letters.
const rightToLeft = String.raw`[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]`
const any = new RegExp(rightToLeft, 'u')
const first = new RegExp(String.raw`^[^\p{L}]*(?=\p{L})${rightToLeft}`, 'u')

/** Whether a text has right-to-left letters. */
export const hasRightToLeft = (text: string): boolean => any.test(text)

/** The alignment of a text by its first letter. The browser's own detection skips isolated text, which all of this is. */
export const directionOf = (text: string): 'rtl' | 'ltr' => (first.test(text) ? 'rtl' : 'ltr')
