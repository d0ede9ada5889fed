import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A file or folder that was found, by its path from where the walk began. */
export interface Found {
  readonly path: string
  readonly isFolder: boolean
  readonly depth: number
}

const passedOver = new Set(['.git', 'node_modules', '.hg', '.svn'])

/** Everything below a folder, in the order of names, as deep as is asked. Links are named and not followed. */
export async function* walk(root: string, depth: number, below = '', at = 1): AsyncGenerator<Found> {
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch(() => [])
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    const isFolder = entry.isDirectory()
    yield { path, isFolder, depth: at }
    if (isFolder && at < depth && !passedOver.has(entry.name)) yield* walk(root, depth, path, at + 1)
  }
}
