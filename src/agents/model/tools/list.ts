import { stat } from 'node:fs/promises'
import { matchesGlob } from 'node:path'
import * as z from 'zod/mini'
import { confinedPath } from '../../kit/confined.ts'
import { defineTool, ToolRefusal } from './tool.ts'
import { walk } from './walk.ts'

const mostEntries = 1_000
const deepest = 20

/** Lists what is in a folder. */
export const list = defineTool({
  name: 'list',
  description:
    'Lists files and folders in the working folder or one below it. "depth" is the depth (1 by default); "pattern", such as "**/*.ts", selects files at any depth.',
  schema: z.strictObject({
    path: z.optional(z.string()),
    depth: z.optional(z.int().check(z.positive())),
    pattern: z.optional(z.string()),
  }),
  asks: false,
  async run({ path = '.', depth, pattern }, place) {
    const root = await confinedPath(place, path)
    const found: string[] = []
    const deep = Math.min(deepest, depth ?? (pattern === undefined ? 1 : deepest))
    for await (const each of walk(place, root, deep)) {
      place.signal.throwIfAborted()
      if (pattern !== undefined && (each.isFolder || !matchesGlob(each.path, pattern))) continue
      found.push(each.isFolder ? `${each.path}/` : each.path)
      if (found.length === mostEntries) return `${found.join('\n')}\n[There is more: ask for less.]`
    }
    if (found.length === 0 && pattern === undefined) return emptyOf(root, path)
    return found.length === 0 ? `Nothing in ${path} matches ${pattern ?? ''}.` : found.join('\n')
  },
})

async function emptyOf(root: string, path: string): Promise<string> {
  const stats = await stat(root).catch(() => null)
  if (stats === null) throw new ToolRefusal(`There is no folder ${path}.`)
  if (!stats.isDirectory()) throw new ToolRefusal(`${path} is not a folder.`)
  return `${path} is empty.`
}
