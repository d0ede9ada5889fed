import * as z from 'zod/mini'
import { defineTool } from './tool.ts'
import { writeFileWithin } from '../../kit/write-within.ts'

/** Writes a whole file. */
export const write = defineTool({
  name: 'write',
  description:
    'Writes a whole file in the working folder, and creates missing folders. Existing content is replaced; to change a part of it, use "edit".',
  schema: z.strictObject({ path: z.string(), content: z.string() }),
  asks: true,
  async run({ path, content }, place) {
    const how = await writeFileWithin(place, path, content)
    return `${how === 'made' ? 'Made' : 'Replaced'} ${path} (${content.split('\n').length} lines).`
  },
})
