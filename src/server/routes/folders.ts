import { opendir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DragomanError } from '../../protocol/error.ts'
import type { ServerParts } from '../server-parts.ts'
import type { Handlers } from './handler.ts'

const mostFolders = 1000
/** A folder with very many entries is read only so far. */
const mostEntries = 20_000

/** Lists the folders that sessions may work in. */
export const folders: Handlers<'listFolders'> = {
  async listFolders(server, { query: { path } }) {
    const { defaultFolder, roots } = server.options
    const known = { default: defaultFolder, roots: await realFolders(server, roots) }
    if (path === undefined) return { path: null, parent: null, folders: [], isCut: false, ...known }
    const real = await server.checkFolder(path)
    const above = dirname(real)
    const [parent = null] = above === real ? [] : await realFolders(server, [above])
    return { path: real, parent, ...(await foldersIn(server, real)), ...known }
  },
}

/** The subfolders that sessions may work in. Links are followed, and hidden folders are left out: their paths can be typed. */
async function foldersIn({ checkFolder }: ServerParts, folder: string) {
  const found: { readonly name: string; readonly path: string }[] = []
  let read = 0
  try {
    for await (const entry of await opendir(folder)) {
      read += 1
      if (found.length === mostFolders || read > mostEntries) return { folders: sorted(found), isCut: true }
      if (entry.name.startsWith('.') || !(entry.isDirectory() || entry.isSymbolicLink())) continue
      const path = await checkFolder(join(folder, entry.name)).catch(() => null)
      if (path !== null) found.push({ name: entry.name, path })
    }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new DragomanError(
      'folder-not-allowed',
      `The server cannot read the folder ${JSON.stringify(folder.slice(0, 300))} (${code}). Choose another folder.`,
    )
  }
  return { folders: sorted(found), isCut: false }
}

const sorted = (found: readonly { readonly name: string; readonly path: string }[]) =>
  found.toSorted((one, other) => one.name.localeCompare(other.name))

/** Those of some folders in which sessions may work, by their real paths, each once. */
async function realFolders(
  { checkFolder }: ServerParts,
  paths: readonly string[],
): Promise<readonly string[]> {
  // One that is missing or not allowed is not offered.
  const checked = paths.map(async path => checkFolder(await realpath(path)))
  const settled = await Promise.allSettled(checked)
  return [...new Set(settled.flatMap(each => (each.status === 'fulfilled' ? [each.value] : [])))]
}
