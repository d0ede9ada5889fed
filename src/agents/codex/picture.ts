import type { Op } from '../kit/parts.ts'
import { textOf, type Fields } from '../kit/fields.ts'

const beginnings: readonly (readonly [string, string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['UklGR', 'image/webp'],
  ['R0lGOD', 'image/gif'],
]

/** The picture that an item made, to be shown; null when there is none in it. */
export function pictureIn(item: Fields): Op | null {
  const base64 = textOf(item, 'type') === 'imageGeneration' ? textOf(item, 'result') : ''
  const mediaType = beginnings.find(([beginning]) => base64.startsWith(beginning))?.[1]
  if (mediaType === undefined) return null
  return { type: 'show', chunk: { type: 'file', url: `data:${mediaType};base64,${base64}`, mediaType } }
}
