import * as z from 'zod/mini'
import { openFileWithin } from '../../kit/confined.ts'
import type { Reach } from '../../kit/data-folder.ts'
import { writeFileWithin } from '../../kit/write-within.ts'
import { defineTool, ToolRefusal } from './tool.ts'

const largest = 8 * 1024 * 1024

/** Replaces a text in a file. */
export const edit = defineTool({
  name: 'edit',
  description:
    'Replaces a text in a file of the working folder by another. "old_string" must occur in the file exactly as given, including white space, and only once, unless "replace_all" is true. Read the file first.',
  schema: z.strictObject({
    path: z.string(),
    old_string: z.string().check(z.minLength(1)),
    new_string: z.string(),
    replace_all: z.optional(z.boolean()),
  }),
  asks: true,
  async run({ path, old_string: from, new_string: to, replace_all: all = false }, place) {
    if (from === to) throw new ToolRefusal('"old_string" and "new_string" are the same.')
    const text = await textOf(place, path)
    const count = text.split(from).length - 1
    if (count === 0) throw new ToolRefusal(`"old_string" was not found in ${path}. Read the file again.`)
    if (count > 1 && !all)
      throw new ToolRefusal(
        `"old_string" occurs ${count} times in ${path}. Include more of the surrounding text, or set "replace_all".`,
      )
    await writeFileWithin(place, path, text.split(from).join(to))
    return `Changed ${path} (${count} ${count === 1 ? 'place' : 'places'}).`
  },
})

async function textOf(reach: Reach, path: string): Promise<string> {
  await using file = await openFileWithin(reach, path)
  const { size } = await file.stat()
  if (size > largest) throw new ToolRefusal(`${path} is too large to edit (${size} bytes).`)
  const bytes = await file.readFile()
  const text = bytes.toString('utf8')
  // Bytes that are not UTF-8 would be written back changed.
  if (!Buffer.from(text).equals(bytes)) throw new ToolRefusal(`${path} is not UTF-8 text.`)
  return text
}
