import type { Json } from './json.ts'

const opening = '\n[… '
const closing = ' cut here by Dragoman. The complete message is saved. …]\n'

/** The text that replaces a long part of an agent's message. */
export const cutMark = (bytes: number): string => `${opening}${sizeText(bytes)}${closing}`

/** The key that marks an object, or the last object of an array, of which entries were left out. */
export const cutKey = 'dragomanCut'

/** What a cut text begins with; null for a text that is complete. */
export function beforeCut(text: string): string | null {
  const end = text.indexOf(closing)
  return end === -1 ? null : text.slice(0, text.lastIndexOf(opening, end))
}

/** Whether any text in a value was cut, so that the value is not complete. */
export function isCut(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.includes(closing)
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) ? value.some(isCut) : Object.values(value).some(isCut)
}

function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** The denial that an agent gets when its input is too long to show for approval. */
export const tooLongToApprove =
  'Denied automatically: the input is longer than 4 MiB, so it cannot be shown for approval. Use several smaller calls.'
