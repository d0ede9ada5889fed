import { readdir } from 'node:fs/promises'
import type { Dirent } from 'node:fs'
import { join } from 'node:path'
import { openFolderWithin } from '../../kit/confined.ts'
import type { Reach } from '../../kit/data-folder.ts'

/** A found file or folder, by its path from the start of the walk. */
export interface Found {
  readonly path: string
  readonly isFolder: boolean
  readonly depth: number
}

const passedOver = new Set(['.git', 'node_modules', '.hg', '.svn'])

/** Everything below a folder, in the order of names, to the given depth. Links are listed and not followed. */
export async function* walk(
  reach: Reach,
  root: string,
  depth: number,
  below = '',
  at = 1,
): AsyncGenerator<Found> {
  const entries = await entriesOf(reach, join(root, below)).catch(() => [])
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    const isFolder = entry.isDirectory()
    yield { path, isFolder, depth: at }
    if (isFolder && at < depth && !passedOver.has(entry.name)) yield* walk(reach, root, depth, path, at + 1)
  }
}

/** Read through the opened folder: it may be swapped for a link between two reads. */
async function entriesOf(reach: Reach, path: string): Promise<readonly Dirent[]> {
  await using folder = await openFolderWithin(reach, path)
  return await readdir(folder.at('.'), { withFileTypes: true })
}
