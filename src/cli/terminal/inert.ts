/**
 * Makes text from an agent harmless for a terminal: characters that would move the cursor, change colours or the text
 * direction, or ring the bell are shown as symbols. Line breaks and tabs stay.
 */
export function inert(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(active, sign)
}

/** The same on one line: line breaks and runs of blanks become one blank. */
export const inertLine = (text: string): string => inert(text.replaceAll(/\s+/g, ' ').trim())

/** The same as a quotation, each line after a mark. */
export const quoted = (text: string): string => `> ${inert(text).replaceAll('\n', '\n> ')}`

/** The same, and invisible characters are shown as symbols, too. For approvals. */
export const explicit = (text: string): string => inert(text).replaceAll(invisible, codeOf)

const invisible = /\p{Cf}|\p{Default_Ignorable_Code_Point}/gu

function codeOf(char: string): string {
  const code = char.codePointAt(0)?.toString(16) ?? ''
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}

// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const active = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Unicode has a picture of each of the first 32, and of delete. */
function sign(char: string): string {
  const code = char.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : `\\u${code.toString(16).padStart(4, '0')}`
}
