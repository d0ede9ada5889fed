import * as z from 'zod/mini'
import type { Json } from '../../../protocol/json.ts'
import { openFileWithin } from '../../kit/confined.ts'
import { defineTool, ToolRefusal } from './tool.ts'

const largest = 8 * 1024 * 1024
const largestImage = 4 * 1024 * 1024
const usualLines = 2_000
const longestText = 100_000

const images: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}

/** Reads a text file or an image. */
export const read = defineTool({
  name: 'read',
  description:
    'Reads a file in the working folder. Text is returned unchanged, without line numbers; a note at the end shows if there is more. Pictures (png, jpg, gif, webp) are shown.',
  schema: z.strictObject({
    path: z.string(),
    /** The first line, counted from 1. */
    offset: z.optional(z.int().check(z.positive())),
    limit: z.optional(z.int().check(z.positive())),
  }),
  asks: false,
  async run({ path, offset, limit }, place): Promise<Json> {
    await using file = await openFileWithin(place, path)
    const { size } = await file.stat()
    const mediaType = images[path.split('.').at(-1)?.toLowerCase() ?? '']
    if (size > (mediaType === undefined ? largest : largestImage))
      throw new ToolRefusal(`${path} is too large to read (${size} bytes).`)
    const bytes = await file.readFile()
    if (mediaType !== undefined)
      return {
        content: [{ type: 'file', mediaType, url: `data:${mediaType};base64,${bytes.toString('base64')}` }],
      }
    if (bytes.subarray(0, 8_000).includes(0)) throw new ToolRefusal(`${path} is not text.`)
    return someLines(bytes.toString('utf8'), offset ?? 1, limit ?? usualLines)
  },
})

function someLines(text: string, from: number, limit: number): string {
  const lines = text.split('\n')
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length
  if (from > 1 && from > count) throw new ToolRefusal(`The file has only ${count} lines.`)
  let to = Math.min(count, from + limit - 1)
  let shown = lines.slice(from - 1, to).join('\n')
  while (shown.length > longestText && to > from) {
    to = from + Math.floor((to - from) / 2)
    shown = lines.slice(from - 1, to).join('\n')
  }
  if (shown.length > longestText) shown = `${shown.slice(0, longestText)}\n[The line is cut here.]`
  if (from === 1 && to === count) return text.endsWith('\n') ? `${shown}\n` : shown
  return `${shown}\n[Lines ${from} to ${to} of ${count}.]`
}
